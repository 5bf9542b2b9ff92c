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
 */
export function isCutShort(text: string): boolean {
  if (!text.startsWith(BEGINNING)) return false;
  const { brackets, inString, lastEscape } = stateAtEnd(text);
  if (brackets === '') return false;
  const endings = inString ? ['"', '":null'] : ENDINGS;
  const trimmed = inString ? withoutHalfEscape(text, lastEscape) : text.replace(/,$/, '');
  return endings.some((ending) => isObject(trimmed + ending + brackets));
}

interface EndState {
  /** Those that close what is open. */
  readonly brackets: string;
  readonly inString: boolean;
  /** Where the last escape begins; -1 without one. */
  readonly lastEscape: number;
}

function stateAtEnd(text: string): EndState {
  let brackets = '';
  let inString = false;
  let lastEscape = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (inString && sign === '\\') {
      lastEscape = at;
      at += 1;
    } else if (sign === '"') inString = !inString;
    else if (inString) continue;
    else if (sign === '{') brackets = `}${brackets}`;
    else if (sign === '[') brackets = `]${brackets}`;
    else if (sign === '}' || sign === ']') brackets = brackets.slice(1);
  }
  return { brackets, inString, lastEscape };
}

const HALF_ESCAPE = /^\\(?:u[0-9a-f]{0,3})?$/;

/** The text up to its last escape, if that was cut. */
function withoutHalfEscape(text: string, lastEscape: number): string {
  const isHalf = lastEscape !== -1 && HALF_ESCAPE.test(text.slice(lastEscape));
  return isHalf ? text.slice(0, lastEscape) : text;
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
