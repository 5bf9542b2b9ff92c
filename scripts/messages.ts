import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIAGNOSTIC_CODES, ERROR_CODES } from '../src/domain/codes.ts';

// Prints all texts for people in src/ in order, each with its file, its line, and the code that is written before it:
// npm run messages. The code is `-` for help, reasons, and other texts without one.

interface Literal {
  readonly text: string;
  readonly line: number;
}

/** A code and its message are at most this many lines apart. */
const CODE_LINES_MAX = 6;
const CODES: ReadonlySet<string> = new Set([...DIAGNOSTIC_CODES, ...ERROR_CODES]);

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);
for (const file of files.toSorted())
  for (const line of messagesOf(readFileSync(join('src', file), 'utf8')))
    process.stdout.write(`src/${file}:${line}\n`);

function messagesOf(source: string): readonly string[] {
  let code: Literal | null = null;
  const lines: string[] = [];
  for (const literal of literalsOf(source)) {
    if (CODES.has(literal.text)) code = literal;
    else if (isProse(literal.text)) {
      const isNear = code !== null && literal.line - code.line <= CODE_LINES_MAX;
      lines.push(`${literal.line}\t${isNear ? code?.text : '-'}\t${literal.text.replaceAll('\n', '\\n')}`);
    }
  }
  return lines;
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
    const text = source.slice(match.index + 1, end - 1);
    yield { text, line: source.slice(0, match.index).split('\n').length };
    token.lastIndex = end;
  }
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
