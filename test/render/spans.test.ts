import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import { drawLine, span } from '../../src/render/spans.ts';

const WIDTHS = Array.from({ length: 100 }, (_, index) => 24 + index);

const drawn = (text: string, width: number): readonly string[] =>
  drawLine([span(shown`${text}`)], { colour: false, width }, 6);

describe('what is there to be copied', () => {
  test.each([
    'herald broadcasts resume 5002 --account alice',
    "herald plan --target 'alice/campaign/Welcome series' --allow resume --out plan.json",
    'herald state close 1a2b3c4d --because "checked by hand"',
    'herald import --update',
    'http://127.0.0.1:35653/api/v0/accounts/101/auto-message-campaigns/5005/status',
    'https://api.example/a/very/long/path/that/does/not/fit/on/one/line/of/any/narrow/terminal/at/all',
  ])('is never broken over two lines: %s', (command) => {
    const text = `Until its hour, for at most 5 days, without loss: ${command}. Then look at it again.`;
    for (const width of WIDTHS) {
      const lines = drawn(text, width);
      expect(
        lines.filter((line) => line.includes(command)),
        `at ${width}`,
      ).toHaveLength(1);
      expect(lines.join(' ').replaceAll(/ +/g, ' ').trim()).toBe(text);
    }
  });

  test('of several, each is on one line, and the words between them are broken as ever', () => {
    const [first, second] = ['herald broadcasts pause 77 --account alice', 'herald broadcasts pause 78'];
    const lines = drawn(`Pause one of them, because fans would get both: ${first}, or ${second}.`, 60);
    for (const command of [first, second])
      expect(lines.some((line) => line.includes(command ?? '-'))).toBe(true);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  });

  test('an address with blanks stays on one line where it fits, and is broken like other words elsewhere', () => {
    const address = shown`alice/campaign/Offer of the month`;
    const lines = drawLine(
      [
        span(shown`* 2 live at once: `),
        span(address, 'plain', true),
        span(shown`, `),
        span(shown`bob/campaign/Hi`, 'plain', true),
      ],
      { colour: false, width: 44 },
    );
    expect(lines).toEqual([
      '* 2 live at once:',
      `  ${address}, bob/campaign/Hi`.slice(0, 36),
      '  bob/campaign/Hi',
    ]);
    const broken = drawLine([span(shown`alice/campaign/${'Offer of the month '.repeat(9)}`, 'plain', true)], {
      colour: false,
      width: 40,
    });
    for (const line of broken) expect(stringWidth(line)).toBeLessThanOrEqual(40);
  });
});

test('a sentence of many commands takes no more time than its length', () => {
  const started = performance.now();
  drawn(`herald apply ${'--allow x 1 "a" '.repeat(5_000)}`, 80);
  drawn('herald '.repeat(20_000), 80);
  drawn(`herald apply ${'--a'.repeat(50_000)}`, 80);
  expect(performance.now() - started).toBeLessThan(5_000);
});
