import { describe, expect, test } from 'vitest';
import {
  BROADCAST,
  CAMPAIGN,
  diagnose,
  messagesOf,
  placesIn,
  placesInWorkspace,
  WORKSPACE,
} from './declare.ts';

describe('what is wrong with a resource is said at once', () => {
  const paid = CAMPAIGN.replace(
    '[{ text: Hi }]',
    '[{ text: "{{nobody}}", price_gross: 9.999, text_is_paid: true, text_file: gone.md }]',
  );
  const ofTheMessage = [
    'a.yaml:7:25: unset-variable',
    'a.yaml:7:54: invalid-price',
    'a.yaml:7:82: text-twice',
    'a.yaml:7:93: text-file-missing',
  ];

  test.each([
    ['no trigger', '    trigger: welcome_message\n', '', 'a.yaml:3:5: missing-key'],
    ['a trigger that is no text', 'trigger: welcome_message', 'trigger: 5', 'a.yaml:4:14: invalid-type'],
    ['no action', '    action: send_message\n', '', 'a.yaml:3:5: missing-key'],
    ['an unknown action', 'action: send_message', 'action: send', 'a.yaml:5:13: invalid-value'],
    ['a name that is no text', 'name: Hello', 'name: 5', 'a.yaml:3:11: invalid-type'],
    ['a message that is wrong elsewhere', 'text_is_paid', 'delay_sec: x, text_is_paid', null],
  ])('beside %s', async (_what, line, other, place) => {
    const found = await placesIn(paid.replace(line, other));
    const codes = (places: readonly string[]) => places.map((at) => at.replace(/^.*: /, '')).toSorted();
    const more = place === null ? ['invalid-type'] : codes([place]);
    expect(codes(found)).toEqual([...codes(ofTheMessage), ...more].toSorted());
    if (place !== null) expect(found).toContain(place);
  });

  test('a broadcast without a name has its schedule looked at', async () => {
    const text = BROADCAST.replace('name: News', 'status: paused').replace('18:00Z', '18:30Z');
    expect(await placesIn(text)).toEqual(['a.yaml:3:5: missing-key', 'a.yaml:4:19: not-whole-hour']);
  });

  test('what follows from a value that is missing or wrong is not said', async () => {
    const nameless = CAMPAIGN.replace('name: Hello', 'status: paused');
    const second = nameless.replace('accounts: [alice]\ncampaigns:\n', '');
    expect(await placesIn(nameless + second)).toEqual(['a.yaml:3:5: missing-key', 'a.yaml:8:5: missing-key']);
    const silent = CAMPAIGN.replace('    action: send_message\n', '').replace(/ {4}messages.*\n/, '');
    expect(await placesIn(silent)).toEqual(['a.yaml:3:5: missing-key']);
    const expiring = CAMPAIGN.replace('trigger: welcome_message', 'rules: { send_after_expire_min: 5 }');
    expect(await placesIn(expiring)).toEqual(['a.yaml:3:5: missing-key']);
    expect(await placesIn(CAMPAIGN.replace('{ text: Hi }', '{ text: 5 }'))).toEqual([
      'a.yaml:7:24: invalid-type',
    ]);
  });

  test('two of one name clash whatever else is wrong with them', async () => {
    const broken = CAMPAIGN.replace('    trigger: welcome_message\n', '');
    const twice = broken + broken.replace('accounts: [alice]\ncampaigns:\n', '');
    expect(await placesIn(twice)).toContain('a.yaml:7:11: duplicate-name');
  });
});

describe('what is wrong with a workspace is said at once', () => {
  test.each(['', 'version: 2', 'version: "1"'])('beside "%s" for its version', async (version) => {
    const text = WORKSPACE.replace('version: 1', version === '' ? '# none' : version)
      .replace('{ simulator:', '{ base_url: "ftp://x", simulator:')
      .replace('[alice, bob]', '[alice, bobb]');
    const found = await placesInWorkspace(text);
    const codes = found.map((at) => at.replace(/^.*: /, '')).toSorted();
    expect(codes).toEqual(
      [version === '' ? 'missing-key' : 'invalid-value', 'service-twice', 'unknown-account'].toSorted(),
    );
  });

  test('a number in quotes is told to go without', async () => {
    const text = WORKSPACE.replace('version: 1', 'version: "1"');
    expect(await messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN })).toBe(
      '"1" is not known here. Write 1, without quotes.',
    );
  });

  test('an account that is wrong leaves the others known', async () => {
    const text = WORKSPACE.replace('id: "102"', 'id: 102');
    const tree = { 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN.replace('[alice]', '[alice, vipp]') };
    expect((await diagnose(tree)).map(({ code }) => code)).toEqual(['unknown-account', 'unquoted-id']);
  });

  test('accounts that cannot be read are not called unknown', async () => {
    const text = `${WORKSPACE.replace(/accounts:[^]*/, '')}accounts: [alice]\ngroups: { vip: [alice] }\n`;
    expect(await placesInWorkspace(text)).toEqual(['herald.yaml:3:11: invalid-type']);
    const misnamed = WORKSPACE.replace('  bob:', '  1bob:').replace('[alice, bob]', '[alice, 1bob]');
    expect(await placesInWorkspace(misnamed)).toEqual(['herald.yaml:5:3: invalid-alias']);
  });

  test('the rest of a policy is looked at beside a wrong rule', async () => {
    const text = `${WORKSPACE}policy: { max_changes: 0, max_broadcasts_per_day: { limit: 2.5, timezone: Mars }, banned_words: ["/(a+)+/"] }\n`;
    expect((await placesInWorkspace(text)).map((at) => at.replace(/^.*: /, ''))).toEqual([
      'invalid-value',
      'invalid-type',
      'invalid-pattern',
    ]);
  });

  test('a bound is told in words', async () => {
    const text = `${WORKSPACE}policy: { max_changes: 0 }\n`;
    expect(await messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN })).toBe('It is at least 1.');
    const days = CAMPAIGN.replace(
      'audience: everyone',
      'audience_filters: [{ kind: subscribed_date, mode: include, options: { from_days: 90071992547409930 } }]',
    );
    expect(await messagesOf({ 'campaigns/a.yaml': days })).not.toMatch(/expected|Too (?:big|small)/);
  });
});
