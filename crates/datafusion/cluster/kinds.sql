-- What is wrong with the lines, and what became of the bodies, each in the encoding that stands beside it.
SELECT
    charset,
    utf8_error(line)['kind'] AS kind,
    text_detect(body) AS detected,
    count(*) AS rows,
    count(text_decode(body, charset, 'null')) AS readable,
    min(text_decode(body, charset, 'whatwg')) AS first_text,
    max(text_decode(body, charset, 'whatwg')) AS last_text,
    sum(text_encoded_length(text_decode(body, charset, 'whatwg'), 'utf-16le')) AS as_utf16
FROM lines
GROUP BY charset, utf8_error(line)['kind'], text_detect(body)
