import { describe, expect, it } from 'vitest';
import { listMessages } from '../scripts/message-list.ts';
import { DIAGNOSTIC_CODES } from '../src/domain/codes.ts';
import { ERROR_CODES } from '../src/domain/codes.ts';

/** The reference of all codes with their messages. To write it again: npm run message-pages */
const HALF = 'm';
const ERRORS_HALF = 'h';
const ERRORS_END = 's';
/** Codes with a message from a table, another file or the service. */
const WITHOUT_MESSAGE_MAX = 35;
const PAGES = [
  {
    path: 'docs/reference/messages-findings-a-l.md',
    title: 'Findings, A to L',
    about: 'Errors, warnings and notes about files, the state, the live objects and the service.',
    codes: DIAGNOSTIC_CODES.filter((code) => code < HALF),
  },
  {
    path: 'docs/reference/messages-findings-m-z.md',
    title: 'Findings, M to Z',
    about: 'Errors, warnings and notes about files, the state, the live objects and the service.',
    codes: DIAGNOSTIC_CODES.filter((code) => code >= HALF),
  },
  {
    path: 'docs/reference/messages-errors-a-g.md',
    title: 'Errors of commands, A to G',
    about: 'Each ends its command. With `--format json`, the code is in the document.',
    codes: ERROR_CODES.filter((code) => code < ERRORS_HALF),
  },
  {
    path: 'docs/reference/messages-errors-h-r.md',
    title: 'Errors of commands, H to R',
    about: 'Each ends its command. With `--format json`, the code is in the document.',
    codes: ERROR_CODES.filter((code) => code >= ERRORS_HALF && code < ERRORS_END),
  },
  {
    path: 'docs/reference/messages-errors-s-z.md',
    title: 'Errors of commands, S to Z',
    about: 'Each ends its command. With `--format json`, the code is in the document.',
    codes: ERROR_CODES.filter((code) => code >= ERRORS_END),
  },
];

/** To read all sources takes a while. */
const MESSAGES = listMessages();

describe('the reference of messages', () => {
  it.each(PAGES)('is in step with the source: $path', async (page) => {
    await expect(pageOf(page)).toMatchFileSnapshot(`../${page.path}`);
  });

  it('has a message for almost every code', () => {
    const coded = new Set(MESSAGES.map(({ code }) => code));
    const without = PAGES.flatMap(({ codes }) => codes.filter((code) => !coded.has(code)));
    expect(without.length).toBeLessThanOrEqual(WITHOUT_MESSAGE_MAX);
  });
});

function pageOf({ title, about, codes }: (typeof PAGES)[number]): string {
  const lines = codes.flatMap((code: string) => {
    const texts = MESSAGES.filter((message) => message.code === code).map(({ text }) => shownText(text));
    return [code, ...new Set(texts.map((text) => `  ${text}`.trimEnd()))];
  });
  return [
    `# ${title}`,
    '',
    `${about} The codes are stable; the words may change. \`…\` is a value. Further lines are other messages with the code, or what to do next.`,
    '',
    '```text',
    ...lines,
    '```',
    '',
  ].join('\n');
}

/** As a person reads it, with `…` for each value. */
function shownText(text: string): string {
  let shown = '';
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
      if (depth === 0) shown += text[at] === 'n' ? ' ' : (text[at] ?? '');
    } else if (text.startsWith('${', at)) {
      if (depth === 0) shown += '…';
      depth += 1;
      at += 1;
    } else if (depth > 0) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    else shown += text[at];
  }
  return shown;
}
