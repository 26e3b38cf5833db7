// Elements, and numbers for people.

/** An element with a class, and children, which are elements or text. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** A button that does something. */
export function button(label, act, className = "small") {
  const made = element("button", className, label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** A table: the titles of its columns, and rows, of which the first cell names the row. */
export function table(className, titles, rows) {
  const head = element("tr", "", ...titles.map((title) => {
    const cell = element("th", "", title);
    cell.scope = "col";
    return cell;
  }));
  return element("table", className, element("thead", "", head), element("tbody", "", ...rows));
}

/** The first cell of a row. */
export function rowHead(className, ...children) {
  const cell = element("th", className, ...children);
  cell.scope = "row";
  return cell;
}

export const number = (count) => count.toLocaleString("en");
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** Copies, and says so on the button for a moment. */
export async function copy(text, source) {
  const label = source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    source.textContent = "Copied";
  } catch {
    source.textContent = "Not allowed";
  }
  setTimeout(() => (source.textContent = label), 1200);
}
