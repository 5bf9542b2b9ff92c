import { fc } from '../helpers/properties.ts';

/** Beginnings, ends and whole forgeries: drawn one behind the other they make up what no one thought of. */
const PIECES = [
  '\u001b[31m',
  '\u001b]8;;https://evil.example\u0007',
  '\u009b2J',
  '\u0085',
  '\u202e',
  '\u2066\u200f\u061c',
  '\u200b\ufeff\u00ad',
  '\u2028',
  '\u0000\u0008\u000b\u000c',
  '\r\n',
  '\n',
  '\r',
  '\t',
  ' ',
  '\u00a0',
  '::',
  '::error::forged',
  '::set-output name=approved::true',
  '##',
  '##[error]',
  '##vso[task.setvariable variable=PATH]x',
  '##teamcity[buildStatus]',
  'section_start:1:x\r\u001b[0K',
  '[',
  '[link](http://evil.example)',
  '![image](http://evil.example/x.png)',
  '<img src=x onerror=alert(1)>',
  '</code></details><!--',
  '@team #12 GH-3',
  '!12 &12 ~12 %12 a@b.example',
  '\n/close\n',
  '- [x] 1. ',
  '```',
  '\n~~~\n',
  '| --- |',
  '=cmd()',
  '+1',
  '"quoted" \\ {x}',
  "'",
  'word',
  '字',
  '👩‍👩‍👧',
  'z\u0301\u0301',
  'x'.repeat(70),
] as const;

/** Texts that try to break out of what is drawn around them, each by itself. */
export const HOSTILE: readonly string[] = [
  ...PIECES,
  'lone \uD800 and \uDFFF surrogates',
  'a | b || c \\| d \\',
  '[-gone-]{+new+} [cannot be undone]',
  '\u3164\u{E0041}',
  `z${'\u0301'.repeat(50)}algo`,
  '字'.repeat(700),
  '',
];

/** A text that tries to be more than a text. */
export const forgery: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''));

/** What a terminal obeys. */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u;
/** What moves or hides the words around it. It may stand in data. */
const HIDING = /[\t\u00ad\u200b\ufeff]/;
/** What CI runners obey, at the start of a line or anywhere in it. */
const COMMAND = /^\s*::[a-z]|##\w*\[/im;

/** What in a printed text would be obeyed, or hides something; null for nothing. */
export function obeyedIn(printed: string, kind: 'words' | 'data' = 'words'): string | null {
  for (const pattern of [STEERING, COMMAND, ...(kind === 'data' ? [] : [HIDING])]) {
    const found = pattern.exec(printed);
    if (found !== null) return JSON.stringify(printed.slice(Math.max(0, found.index - 40), found.index + 40));
  }
  return null;
}

/** Our own colours; nothing else may begin with an escape. */
export function withoutColour(printed: string): string {
  return printed.replace(/\u001b\[[\d;]*m/g, '');
}
