// What is thrown.

/** The text is ill-formed, and the policy is "fatal". */
export class IllFormedError extends TypeError {
  constructor({ at, len, kind, message }) {
    super(message);
    this.name = "IllFormedError";
    this.at = at;
    this.len = len;
    this.kind = kind;
  }
}

/** The target has no form for a character, and the policy is "fatal". */
export class UnrepresentableError extends RangeError {
  constructor({ at, codePoint, encoding }) {
    const point = codePoint.toString(16).toUpperCase().padStart(4, "0");
    super(`U+${point} at ${at} has no form in ${encoding}`);
    this.name = "UnrepresentableError";
    this.at = at;
    this.codePoint = codePoint;
    this.encoding = encoding;
  }
}
