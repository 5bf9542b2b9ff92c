/** A text with variables, in parts. */
export type TemplatePart = string | { readonly variable: string };

/** `{{name}}`, or the escape `\{{` of a literal one, as in the files. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

/** The parts of a text that is written with variables. Braces that are neither stay as they are. */
export function templateParts(text: string): readonly TemplatePart[] {
  if (!text.includes('{{')) return [text];
  const parts: TemplatePart[] = [];
  let rest = 0;
  const addText = (piece: string) => {
    const last = parts.at(-1);
    if (piece === '') return;
    if (typeof last === 'string') parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, escape, variable] = match;
    addText(text.slice(rest, match.index));
    rest = match.index + whole.length;
    if (escape !== undefined) addText(whole.slice(1));
    else if (variable !== undefined) parts.push({ variable });
    else addText(whole);
  }
  addText(text.slice(rest));
  return parts;
}

/** Undefined for a variable that the account does not have. */
export function valueOf(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
