import { describe, expect, test } from 'vitest';
import {
  BROADCAST,
  CAMPAIGN,
  diagnose,
  messagesOf,
  places,
  placesIn,
  placesInWorkspace,
  WORKSPACE,
} from './declare.ts';

describe('all errors of a resource are reported at once', () => {
  const paid = CAMPAIGN.replace(
    '[{ text: Hi }]',
    '[{ text: "{{stranger}}", price_gross: 9.999, text_is_paid: true, text_file: gone.md }]',
  );
  const ofTheMessage = [
    'a.yaml:7:25: unset-variable',
    'a.yaml:7:54: invalid-price',
    'a.yaml:7:82: text-twice',
    'a.yaml:7:93: text-file-missing',
  ];

  test.each([
    ['no trigger', '    trigger: welcome_message\n', '', 'a.yaml:3:5: missing-key'],
    ['a trigger that is not a text', 'trigger: welcome_message', 'trigger: 5', 'a.yaml:4:14: invalid-type'],
    ['no action', '    action: send_message\n', '', 'a.yaml:3:5: missing-key'],
    ['an unknown action', 'action: send_message', 'action: send', 'a.yaml:5:13: invalid-value'],
    ['a name that is not a text', 'name: Hello', 'name: 5', 'a.yaml:3:11: invalid-type'],
    ['a message that is wrong elsewhere', 'text_is_paid', 'delay_sec: x, text_is_paid', null],
  ])('next to %s', async (_what, line, other, place) => {
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

describe('all errors of a workspace are reported at once', () => {
  test.each(['', 'version: 2', 'version: "1"'])('next to "%s" for its version', async (version) => {
    const text = WORKSPACE.replace('version: 1', version === '' ? '# none' : version)
      .replace('{ simulator:', '{ base_url: "ftp://x", simulator:')
      .replace('[alice, bob]', '[alice, bobb]');
    const found = await placesInWorkspace(text);
    const codes = found.map((at) => at.replace(/^.*: /, '')).toSorted();
    expect(codes).toEqual(
      [version === '' ? 'missing-key' : 'invalid-value', 'service-twice', 'unknown-account'].toSorted(),
    );
  });

  test('a number in quotes is an error that says to remove them', async () => {
    const text = WORKSPACE.replace('version: 1', 'version: "1"');
    expect(await messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN })).toBe(
      'Unknown value "1". Write 1, without quotes.',
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

  test('the rest of a policy is looked at next to a wrong rule', async () => {
    const text = `${WORKSPACE}policy: { max_changes: 0, max_broadcasts_per_day: { limit: 2.5, timezone: Mars }, banned_words: ["/(?=a)b/"] }\n`;
    expect((await placesInWorkspace(text)).map((at) => at.replace(/^.*: /, ''))).toEqual([
      'invalid-value',
      'invalid-type',
      'invalid-pattern',
    ]);
  });

  test('a limit is described in words', async () => {
    const text = `${WORKSPACE}policy: { max_changes: 0 }\n`;
    expect(await messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN })).toBe('Write at least 1.');
    const days = CAMPAIGN.replace(
      'audience: everyone',
      'audience_filters: [{ kind: subscribed_date, mode: include, options: { from_days: 90071992547409930 } }]',
    );
    expect(await messagesOf({ 'campaigns/a.yaml': days })).not.toMatch(/expected|Too (?:big|small)/);
  });
});

describe('what is reported once', () => {
  const zoned = BROADCAST.replace('18:00Z"', '18:00"\n    scheduled_at_timezone: Europe/Berlin');
  const sold = CAMPAIGN.replace(
    '{ text: Hi }',
    '{ text: Hi, price_gross: 5, attachments: [{ id: "{{photo}}", type: image, is_paid: true }] }',
  );

  test.each([
    ['a zone of a wrong kind', zoned.replace('Europe/Berlin', '5'), '5:28: invalid-type'],
    ['a zone under another key', zoned.replace('_timezone', '_timezon'), '5:5: unknown-key'],
    ['what is paid, of a wrong kind', sold.replace('is_paid: true', 'is_paid: 5'), '7:99: invalid-type'],
    ['a price under another key', sold.replace('price_gross', 'price_gros'), '7:28: unknown-key'],
    ['an audience under another key', CAMPAIGN.replace('audience', 'audiance'), '6:5: unknown-key'],
    ['a name under another key', CAMPAIGN.replace('name', 'nam'), '3:5: unknown-key'],
    ['accounts under another key', CAMPAIGN.replace('accounts', 'acounts'), '1:1: unknown-key'],
    ['accounts of a wrong kind', CAMPAIGN.replace('[alice]', '""'), '1:11: invalid-accounts'],
    ['a file with its list under another key', CAMPAIGN.replace('campaigns', 'campaign'), '2:1: unknown-key'],
    ['a delay of no sane size', CAMPAIGN.replace('Hi', 'Hi, delay_sec: 1e20'), '7:39: invalid-value'],
  ])('%s', async (_what, text, place) => {
    expect(await placesIn(text)).toEqual([`a.yaml:${place}`]);
  });

  test.each([
    ['accounts under another key', WORKSPACE.replace('accounts', 'acounts'), '3:1: unknown-key'],
    ['a group under another key', WORKSPACE.replace('groups', 'group'), '6:1: unknown-key'],
    ['a selector under another key', WORKSPACE.replace('id: "102"', 'usrname: b'), '5:10: unknown-key'],
    [
      'an address of a wrong kind',
      WORKSPACE.replace('simulator: .herald', 'base_url: [] #'),
      '2:22: invalid-type',
    ],
    ['a pattern that leaves', `${WORKSPACE}files: ["../*.yaml"]\n`, '7:9: path-outside'],
    ['patterns of a wrong kind', `${WORKSPACE}files: 5\n`, '7:8: invalid-type'],
  ])('in a workspace: %s', async (_what, text, place) => {
    const resources = CAMPAIGN.replace('[alice]', '[vip]');
    const tree = { 'herald.yaml': text.replace('#/world.json }', '}'), 'campaigns/a.yaml': resources };
    const { 'campaigns/a.yaml': _gone, ...alone } = tree;
    const isAboutFiles = text.includes('files:');
    expect(await places(isAboutFiles ? alone : tree)).toEqual([`herald.yaml:${place}`]);
  });
});

describe('what is wrong next to something else is not hidden by it', () => {
  test.each([
    [
      'a price',
      CAMPAIGN.replace('{ text: Hi }', '{ price_gross: x }'),
      ['7:16: text-missing', '7:31: invalid-type'],
    ],
    [
      'braces, where variables cannot be read',
      CAMPAIGN.replace('text: Hi', 'text: "{{ me and {{you}}"'),
      ['7:24: variable-syntax'],
    ],
  ])('%s', async (_what, text, expected) => {
    const workspace = WORKSPACE.replace('first_name: Alice', 'first_name: 5');
    const found = await places({ 'herald.yaml': workspace, 'campaigns/a.yaml': text });
    expect(found.filter((at) => at.startsWith('campaigns/'))).toEqual(
      expected.map((at) => `campaigns/a.yaml:${at}`),
    );
  });
});
