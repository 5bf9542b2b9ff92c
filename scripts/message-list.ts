import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inShell } from '../src/domain/command-line.ts';
import { DIAGNOSTIC_CODES, WARNING_CODES } from '../src/domain/codes.ts';
import { ERROR_CODES } from '../src/domain/error-codes.ts';

/** A text for people in src/, with the code that is written before it in the same statement. */
export interface ListedMessage {
  readonly file: string;
  readonly line: number;
  /** Null for help, reasons, and other texts without a code. */
  readonly code: string | null;
  /** Values are `${…}`, as in the source. */
  readonly text: string;
}

interface Literal {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const CODES: ReadonlySet<string> = new Set([...DIAGNOSTIC_CODES, ...ERROR_CODES, ...WARNING_CODES]);
/** Before a literal that is compared, or that names a property: it gives no code to a message. */
const NOT_A_CODE = /(?:[=!]==\s*|case\s*|\[|includes\(\s*)$/;

/** Between a code and a text that is not its message: another statement, or the help of a shape. */
const ENDS_A_MESSAGE = /;\n|describe\(|withHelp\(/;

/** All messages of src/ in the order of files and lines. */
export function allMessages(): readonly ListedMessage[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .flatMap((path) => messagesOf(join('src', path), withCommands(readFileSync(join('src', path), 'utf8'))));
}

function messagesOf(file: string, source: string): readonly ListedMessage[] {
  let code: Literal | null = null;
  let named: readonly NamedText[] = [];
  const messages: ListedMessage[] = [];
  for (const literal of literalsOf(source)) {
    const { text, start, end } = literal;
    if (CODES.has(text)) {
      if (NOT_A_CODE.test(source.slice(0, start))) continue;
      code = literal;
      const statement = source.slice(start, source.indexOf(';\n', start));
      for (const { name, message } of named)
        if (message.code === null && new RegExp(`\\b${name}\\b`).test(statement)) message.code = text;
    } else if (isProse(text)) {
      const isOfCode = code !== null && !ENDS_A_MESSAGE.test(source.slice(code.end, start));
      const line = source.slice(0, start).split('\n').length;
      const message = { file, line, code: isOfCode ? (code?.text ?? null) : null, text };
      messages.push(message);
      const name = NAMES_A_TEXT.exec(source.slice(0, start))?.[1];
      if (name !== undefined)
        named = [...named.filter((one) => isInFunction(source, one.end, start)), { name, message, end }];
    }
  }
  return messages;
}

/** A text that is given a name before its code is written: `const message = …`. */
interface NamedText {
  readonly name: string;
  readonly message: { code: string | null };
  readonly end: number;
}

/** The last declaration before a text, without another statement in between. */
const NAMES_A_TEXT = /\bconst (\w+) =(?:(?!;\n)[\s\S])*$/;

function isInFunction(source: string, from: number, to: number): boolean {
  return !source.slice(from, to).includes('\n}\n');
}

/** Three words or more: shorter texts are names, keys and parts of a format. */
function isProse(text: string): boolean {
  return /\p{L}+(?: |, |: )(?:\S+ )*\S*\p{L}+ \S*\p{L}/u.test(text) && !/^(?:import|export) /.test(text);
}

/** String and template literals outside comments. A template is one literal, with its values as `${…}`. */
function* literalsOf(source: string): Generator<Literal> {
  const token = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`/g;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [found] = match;
    if (found.startsWith('/')) continue;
    const end = found === '`' ? endOfTemplate(source, match.index) : token.lastIndex;
    yield { text: source.slice(match.index + 1, end - 1), start: match.index, end };
    token.lastIndex = end;
  }
}

/** The source with the text of each command instead of its call: `herald plan --out ${file}`. */
function withCommands(source: string): string {
  const call = /(\$\{)?(?<!function )\bformatCommand\(/g;
  let text = '';
  let rest = 0;
  for (let match = call.exec(source); match !== null; match = call.exec(source)) {
    const { words, end } = argumentsFrom(source, call.lastIndex);
    const command = ['herald', ...words.map(shownWord)].join(' ');
    const isInTemplate = match[1] !== undefined;
    text += source.slice(rest, match.index) + (isInTemplate ? command : `\`${command}\``);
    // The lines of the rest keep their numbers.
    if (!isInTemplate) text += '\n'.repeat(source.slice(match.index, end).split('\n').length - 1);
    rest = isInTemplate ? end + 1 : end;
    call.lastIndex = rest;
  }
  return text + source.slice(rest);
}

/** The arguments of a call, from behind its bracket. */
function argumentsFrom(source: string, start: number): { words: readonly string[]; end: number } {
  const words: string[] = [];
  let [depth, from] = [0, start];
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === '`') at = endOfTemplate(source, at) - 1;
    else if (character === "'") at = source.indexOf("'", at + 1);
    else if (depth === 0 && (character === ',' || character === ')')) {
      words.push(source.slice(from, at).trim());
      from = at + 1;
      if (character === ')') return { words: words.filter((word) => word !== ''), end: at + 1 };
    } else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  return { words, end: source.length };
}

/** A literal as the shell takes it, and any other value as `${…}`. */
function shownWord(word: string): string {
  return word.startsWith("'") ? inShell(word.slice(1, -1)) : `\${${word.replace('...', '')}}`;
}

/** The offset behind the backtick that ends the template at an offset. Values may have templates of their own. */
function endOfTemplate(source: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (depth === 0 && source[at] === '`') return at + 1;
    else if (source.startsWith('${', at)) {
      depth += 1;
      at += 1;
    } else if (depth > 0 && source[at] === '{') depth += 1;
    else if (depth > 0 && source[at] === '}') depth -= 1;
    else if (depth > 0 && source[at] === '`') at = endOfTemplate(source, at) - 1;
  }
  return source.length;
}
