import { describe, expect, test } from 'vitest';
import {
  BROADCAST,
  CAMPAIGN,
  messagesOf,
  places,
  placesIn,
  placesInWorkspace,
  WORKSPACE,
} from './declare.ts';

describe('a value of a wrong shape', () => {
  test('is reported before the rules across fields, and hides no other resource', async () => {
    const rules = CAMPAIGN.replace('    audience: everyone\n', '');
    const both = rules.replace('welcome_message', '5');
    const second = rules.replace('accounts: [alice]\ncampaigns:\n', '');
    expect(await placesIn(both + second)).toEqual([
      'a.yaml:4:14: invalid-type',
      'a.yaml:7:5: audience-missing',
    ]);
    expect(await placesIn(rules + second.replace('welcome_message', '5'))).toEqual([
      'a.yaml:3:5: audience-missing',
      'a.yaml:8:14: invalid-type',
    ]);
  });

  test('of a file hides no resource of it', async () => {
    const text = CAMPAIGN.replace('accounts: [alice]', 'accounts: 5\nextra: 1').replace('Hi', '5');
    expect(await placesIn(text)).toEqual([
      'a.yaml:1:11: invalid-accounts',
      'a.yaml:2:1: unknown-key',
      'a.yaml:8:24: invalid-type',
    ]);
  });

  test('a number in quotes is an error that says to remove them', async () => {
    const text = WORKSPACE.replace('version: 1', 'version: "1"');
    expect(await messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN })).toBe(
      'Unknown value "1". Write 1, without quotes.',
    );
    const price = CAMPAIGN.replace('text: Hi', 'text: Hi, text_is_paid: true, price_gross: "9.99"');
    expect(await messagesOf({ 'campaigns/a.yaml': price })).toBe(
      '"price_gross" must be a number, but it is text. Write 9.99, without quotes.',
    );
  });

  test('accounts that cannot be read are not called unknown', async () => {
    const text = `${WORKSPACE.replace(/accounts:[^]*/, '')}accounts: [alice]\ngroups: { vip: [alice] }\n`;
    expect(await placesInWorkspace(text)).toEqual(['herald.yaml:3:11: invalid-type']);
    const misnamed = WORKSPACE.replace('  bob:', '  1bob:').replace('[alice, bob]', '[alice, 1bob]');
    expect(await placesInWorkspace(misnamed)).toEqual(['herald.yaml:5:3: invalid-alias']);
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
