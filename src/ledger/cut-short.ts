/** Every line of a ledger begins so, and every mark of a move. */
const BEGINNINGS = ['{"v":1,', '{"mark":"'];

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
 * request leaves only after its line is complete, so such a line announced nothing. A merge may put it between others. With
 * the beginning of another line in it, it has swallowed that one, which may have announced something.
 */
export function isCutShort(written: string): boolean {
  const text = written.replace(/\0+$/, '');
  // After a loss of power, a file may end with zeros in place of what was not flushed.
  if (text === '') return written !== '';
  if (BEGINNINGS.some((beginning) => beginning.startsWith(text))) return true;
  if (!isBeginningAt(text, 0)) return false;
  const { brackets, inString, lastEscape, hasSwallowed } = stateAtEnd(text);
  if (brackets === '' || hasSwallowed) return false;
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
  /** Whether another line begins in it. */
  readonly hasSwallowed: boolean;
}

function isBeginningAt(text: string, place: number): boolean {
  return BEGINNINGS.some((beginning) => text.startsWith(beginning, place));
}

function stateAtEnd(text: string): EndState {
  let brackets = '';
  let inString = false;
  let lastEscape = -1;
  let hasSwallowed = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (inString && sign === '\\') {
      lastEscape = at;
      at += 1;
    } else if (sign === '"') inString = !inString;
    else if (inString) continue;
    else if (sign === '{') {
      brackets = `}${brackets}`;
      hasSwallowed ||= at > 0 && isBeginningAt(text, at);
    } else if (sign === '[') brackets = `]${brackets}`;
    else if (sign === '}' || sign === ']') brackets = brackets.slice(1);
  }
  return { brackets, inString, lastEscape, hasSwallowed };
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
