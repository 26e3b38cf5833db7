-- Every row, by what it is when repaired: all of them go through a shuffle as text.
SELECT
    text_repair(line) AS text,
    count(*) AS rows,
    sum(id) AS ids,
    count(*) FILTER (WHERE NOT utf8_valid(line)) AS damaged,
    min(utf8_error(line)['offset']) AS first_error,
    sum(char_count(text_repair(line, 'perl5'))) AS characters
FROM lines
GROUP BY text_repair(line)
