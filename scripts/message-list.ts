import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inShell } from '../src/domain/command-line.ts';
import { DIAGNOSTIC_CODES, ERROR_CODES } from '../src/domain/codes.ts';

/** A text for people in src/, with the code that is written before it in the same statement. */
export interface ListedMessage {
  readonly file: string;
  readonly line: number;
  /** Null for help, reasons, and other texts without a code. */
  readonly code: string | null;
  /** Values are `${…}`, as in the source. */
  readonly text: string;
}

const CODES: ReadonlySet<string> = new Set([...DIAGNOSTIC_CODES, ...ERROR_CODES]);
/** Before a literal that is compared, or that names a property or a command: it gives no code to a message. */
const NOT_A_CODE = /(?:[=!]==\s*|case\s*|\[|includes\(\s*|path:\s*)$/;
/** A word and the blanks before a literal are shorter. */
const NOT_A_CODE_MAX = 80;
/** Between a code and a text that is not its message: another statement, the help of a shape, or a command's own row. */
const ENDS_A_MESSAGE = /;\n|describe\(|withHelp\(|\boptional\(|defineCommand\(|Flag\(|\babout:/;
/** The last declaration before a text, without another statement in between. */
const NAMES_A_TEXT = /\bconst (\w+) =(?! defineCommand\()(?:(?!;\n)[\s\S])*$/;
/** Three words or more: shorter texts are names, keys and parts of a format. */
const PROSE = /^(?!import |export ).*?\p{L}+(?: |, |: )(?:\S+ )*\S*\p{L}+ \S*\p{L}/su;

const QUOTED = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`;
/** The values in a template have templates of their own, down to the third level. */
const TEMPLATE = [1, 2, 3].reduce(
  (inner) =>
    String.raw`\x60(?:[^\x60\\$]|\\.|\$(?!\{)|\$\{(?:[^{}\x60'"]|${QUOTED}|${inner}|\{(?:[^{}\x60]|${inner})*\})*\})*\x60`,
  String.raw`\x60(?:[^\x60\\]|\\.)*\x60`,
);
/** Comments, which may have quotes, and literals. */
const TOKEN = new RegExp(String.raw`\/\*[\s\S]*?\*\/|\/\/.*|${QUOTED}|${TEMPLATE}`, 'g');

/** All messages of src/ in the order of files and lines. */
export function listMessages(): readonly ListedMessage[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .flatMap((path) =>
      findMessages(join('src', path), showCommands(readFileSync(join('src', path), 'utf8'))),
    );
}

function findMessages(file: string, source: string): readonly ListedMessage[] {
  let code: { readonly text: string; readonly end: number } | null = null;
  const messages: { file: string; line: number; code: string | null; text: string }[] = [];
  /** Texts that were given a name in this function or row, before their code: `const message = …`. */
  let named: { readonly name: string; readonly message: { code: string | null }; readonly end: number }[] =
    [];
  for (const { 0: literal, index } of source.matchAll(TOKEN)) {
    const before = source.slice(0, index);
    const [text, end] = [literal.slice(1, -1), index + literal.length];
    if (literal.startsWith('/')) continue;
    if (CODES.has(text) && !NOT_A_CODE.test(before.slice(-NOT_A_CODE_MAX))) {
      code = { text, end };
      const statement = source.slice(index, source.indexOf(';\n', index));
      for (const { name, message } of named)
        if (new RegExp(`\\b${name}\\b`).test(statement)) message.code ??= text;
    } else if (!CODES.has(text) && PROSE.test(text)) {
      const isOfCode = code !== null && !ENDS_A_MESSAGE.test(source.slice(code.end, index));
      const line = before.split('\n').length;
      const message = { file, line, code: isOfCode ? (code?.text ?? null) : null, text };
      messages.push(message);
      const name = NAMES_A_TEXT.exec(before.slice(before.lastIndexOf(';\n') + 1))?.[1];
      named = named.filter((one) => !/\n\}(?:\);)?\n/.test(source.slice(one.end, index)));
      if (name !== undefined) named.push({ name, message, end });
    }
  }
  return messages;
}

/** An argument of a call, with the calls and templates in it. */
const ARGUMENT = String.raw`(?:[^,()\x60'"]|${QUOTED}|${TEMPLATE}|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+`;
const CALL = String.raw`\bformatCommand\(((?:${ARGUMENT},?)*)\)`;
const COMMAND = new RegExp(String.raw`\$\{${CALL}\}|(?<!function )${CALL}`, 'g');

/** The source with the text of each command instead of its call: `herald plan --out ${file}`. Lines keep their numbers. */
function showCommands(source: string): string {
  return source.replace(COMMAND, (call: string, inTemplate?: string, alone: string = '') => {
    const words = [...(inTemplate ?? alone).matchAll(new RegExp(ARGUMENT, 'g'))].map(([word]) => word.trim());
    const shown = words.filter((word) => word !== '');
    const command = ['herald', ...shown.map(showWord)].join(' ');
    return inTemplate === undefined ? `\`${command}\`${call.replace(/[^\n]/g, '')}` : command;
  });
}

/** A literal as the shell takes it, and any other value as `${…}`. */
function showWord(word: string): string {
  return word.startsWith("'") ? inShell(word.slice(1, -1)) : `\${${word.replace('...', '')}}`;
}
