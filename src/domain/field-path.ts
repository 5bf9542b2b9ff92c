/** From a resource to a field: `messages[0].text` is `messages`, `0`, `text`. `*` is any list index. */
export class FieldPath {
  readonly steps: readonly string[];

  /** Reads `messages[0].text`, `messages.0.text` and `messages[*].text` alike. */
  constructor(path: string) {
    this.steps = path.replaceAll(/\[(\*|\d+)\]/g, '.$1').split('.');
  }

  /** True if it is the field of the pattern, or inside it. */
  isWithin(pattern: readonly string[]): boolean {
    return pattern.every((step, index) => {
      const own = this.steps[index];
      return own === step || (step === '*' && own !== undefined && /^(?:0|[1-9]\d*)$/.test(own));
    });
  }
}

/** A member of a value of any type; undefined if there is none. */
export function readMember(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** True for an object that is not a list. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
