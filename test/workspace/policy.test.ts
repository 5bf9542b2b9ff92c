import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, diagnose, load, rowsOf, WORKSPACE } from './declare.ts';
import type { Policy } from '../../src/domain/workspace.ts';

const declaring = (policy: string) => ({
  'herald.yaml': `${WORKSPACE}policy: ${policy}\n`,
  'campaigns/a.yaml': CAMPAIGN,
});

async function policyOf(written: string): Promise<Policy> {
  const loaded = await load(declaring(written));
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.workspace.policy;
}

async function problems(written: string): Promise<readonly string[]> {
  const found = await diagnose(declaring(written));
  return found.map(({ line, column, code, message }) => `${line}:${column}: ${code}: ${message}`);
}

describe('a policy', () => {
  test.each([
    ['max_changes', '5', { limit: 5, level: 'deny' }],
    ['max_changes', '{ limit: 5, level: warn }', { limit: 5, level: 'warn' }],
    ['max_price_gross', '50', { limit: 50, level: 'deny' }],
    ['max_price_gross', '{ limit: 50, level: warn }', { limit: 50, level: 'warn' }],
    ['min_price_gross', '4.99', { limit: 4.99, level: 'deny' }],
    ['min_price_gross', '{ limit: 5 }', { limit: 5, level: 'deny' }],
    ['banned_words', '[free, /gratis/i]', { words: ['free', '/gratis/i'], level: 'deny' }],
    ['banned_words', '{ words: [free], level: warn }', { words: ['free'], level: 'warn' }],
    ['required', '[end_at, audience_filters]', { fields: ['end_at', 'audience_filters'], level: 'deny' }],
    ['required', '{ fields: [end_at], level: warn }', { fields: ['end_at'], level: 'warn' }],
    ['max_broadcasts_per_day', '3', { limit: 3, level: 'deny' }],
    [
      'max_broadcasts_per_day',
      '{ limit: 1, timezone: Asia/Tokyo, level: warn }',
      { limit: 1, timezone: 'Asia/Tokyo', level: 'warn' },
    ],
  ])('%s: %s is a rule that denies, unless it says that it warns', async (rule, written, read) => {
    expect(await policyOf(`{ ${rule}: ${written} }`)).toMatchObject({ [rule]: read });
  });

  test('has quiet hours of its own length', async () => {
    const hours = { from: '23:00', to: '07:00', timezone: 'Europe/Lisbon' };
    const quiet = (more: object) => policyOf(JSON.stringify({ quiet_hours: { ...hours, ...more } }));
    expect((await quiet({})).quiet_hours).toEqual({ ...hours, hours_after: 1, level: 'deny' });
    const other = { hours_after: 3, level: 'warn' };
    expect((await quiet(other)).quiet_hours).toEqual({ ...hours, ...other });
  });

  test('warns of a zone without daylight saving time', async () => {
    const [found] = await problems('{ max_broadcasts_per_day: { limit: 1, timezone: EST } }');
    expect(found).toContain('7:57: fixed-zone');
  });

  test.each(
    rowsOf(String.raw`
      { max_price_gross: { limit: 5, level: stop } } → 7:47: invalid-value: Unknown value "stop". Write one of deny, warn.
      { max_price_gross: { level: warn } } → 7:28: missing-key: "limit" is missing. Add it.
      { max_changes: { limit: 5, levl: warn } } → 7:36: unknown-key: Unknown key "levl". Did you mean "level"?
      { max_price_gross: 0x10 } → 7:28: invalid-type: "max_price_gross" must be a number, but it is text. Write 16,
      { max_price_gross: much } → 7:28: invalid-type: "max_price_gross" must be a number, but it is text.
      { min_price_gross: { limit: -1 } } → 7:37: invalid-price: This is not a price.
      { required: [name] } → 7:22: invalid-value: Unknown value "name". Write one of
      { required: [] } → 7:21: invalid-value: Name at least one field, or remove the rule.
      { max_broadcasts_per_day: { limit: 1, timezone: Mars } } → 7:57: unknown-timezone
      { quiet_hours: { from: "01:00", to: "02:00", timezone: UTC, hours_after: 25 } } → 7:82: invalid-value
      { banned_words: [ok, "/(a)\\1/"] } → 7:30: invalid-pattern: This pattern is not valid: invalid escape
      { banned_words: { words: ["/(/"], level: warn } } → 7:35: invalid-pattern: This pattern is not valid: missing
      { banned_words: ["\u200b"] } → 7:26: invalid-value: Write a word that can be seen.
    `),
  )('%s is refused: %s', async (written, expected) => {
    const [first, ...more] = await problems(written);
    expect(first).toContain(expected);
    expect(more).toEqual([]);
  });
});

describe('the place of a field', () => {
  const places = async (file: string, text: string, ...paths: readonly (readonly (string | number)[])[]) => {
    const loaded = await load({ [file]: text, 'campaigns/offer.md': 'Free!' });
    if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
    return loaded.declared.flatMap(({ source }) =>
      paths.map((path) => {
        const { line, column } = loaded.placeOf(source, path);
        return `${line}:${column}`;
      }),
    );
  };

  test('is that of its value, of what is around it, or of the file that it names', async () => {
    const text = `accounts: [alice, bob]
campaigns:
  - name: Hello
    trigger: welcome_message
    action: send_message
    audience: everyone
    rules:
      unsend_delay_sec: 5
    messages:
      - text: Hi
        price_gross: 9.99
        text_is_paid: true
      - text_file: offer.md
`;
    const found = await places(
      'campaigns/a.yaml',
      text,
      ['messages', 0, 'text'],
      ['messages', 0, 'price_gross'],
      ['messages', 1, 'text'],
      ['rules', 'end_at'],
      ['audience_filters'],
    );
    expect(found).toEqual([...Array(2)].flatMap(() => ['10:15', '11:22', '13:20', '8:7', '3:5']));
  });

  test('is found in a broadcast, too', async () => {
    expect(await places('campaigns/a.yaml', BROADCAST, ['scheduled_at'])).toEqual(['4:19']);
  });
});
