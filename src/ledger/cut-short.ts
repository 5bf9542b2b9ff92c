/** Every line of a ledger begins so. */
const BEGINNING = '{"v":1,';

/** What the end of a cut text may miss before its brackets close, with the rest of a word that was cut. */
const ENDINGS = [
  '',
  '0',
  'null',
  ':null',
  '"',
  '":null',
  'rue',
  'ue',
  'e',
  'alse',
  'lse',
  'se',
  'ull',
  'll',
  'l',
];

/**
 * Whether the text is the beginning of a line, as a crash leaves it: it becomes an object when only its end is added. A
 * request leaves only after its line is complete, so such a line announced nothing. A merge may put it between others.
 * A line that was cut within an escape counts as damaged, which is the safe side.
 */
export function isCutShort(text: string): boolean {
  if (!text.startsWith(BEGINNING)) return false;
  const { brackets, inString } = stateAtEnd(text);
  if (brackets === '') return false;
  const endings = inString ? ['"', '":null'] : ENDINGS;
  const trimmed = inString ? text : text.replace(/,$/, '');
  return endings.some((ending) => isObject(trimmed + ending + brackets));
}

/** The brackets that are open at the end of the text, as those that close them, and whether a string is. */
function stateAtEnd(text: string): { readonly brackets: string; readonly inString: boolean } {
  let brackets = '';
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (inString && sign === '\\') at += 1;
    else if (sign === '"') inString = !inString;
    else if (inString) continue;
    else if (sign === '{') brackets = `}${brackets}`;
    else if (sign === '[') brackets = `]${brackets}`;
    else if (sign === '}' || sign === ']') brackets = brackets.slice(1);
  }
  return { brackets, inString };
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
