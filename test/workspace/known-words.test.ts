import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, CAMPAIGN_WITH, diagnose, placesIn, places, WORKSPACE } from './declare.ts';

const withKind = (kind: string): string => CAMPAIGN_WITH.filter(`kind: ${kind}, mode: include`);
const withTrigger = (trigger: string): string => CAMPAIGN.replace('welcome_message', trigger);
const withMedia = (type: string) => CAMPAIGN_WITH.message(`attachments: [{ id: "5", type: "${type}" }]`);
const withMode = (mode: string): string =>
  BROADCAST.replace('    audience', `    rules: { online_check_mode: ${mode} }\n    audience`);

const knowing = (words: string): string =>
  WORKSPACE.replace('.herald/world.json }', `.herald/world.json, ${words} }`);

describe('a word that is nearly one of the documentation', () => {
  // CONTENT-16, CAMPAIGN-3, CONTENT-11
  test.each([
    [withKind('subscribed_daet'), '6:32: unknown-filter-kind'],
    [withKind('Subscribed_Date'), '6:32: unknown-filter-kind'],
    [withKind('purchased_from_organization'), '6:32: unknown-filter-kind'],
    [withTrigger('welcome_mesage'), '4:14: unknown-trigger'],
    [withMedia('images'), '7:49: unknown-media-type'],
    [withMode('of'), '5:33: unknown-online-check-mode'],
  ])('is an error (%#)', async (text, place) => {
    expect(await placesIn(text)).toEqual([`a.yaml:${place}`]);
  });

  test('is an error that shows the line that allows it', async () => {
    const [found] = await diagnose({ 'campaigns/a.yaml': withKind('subscribed_dates') });
    expect(found?.message).toBe(
      'Unknown filter kind "subscribed_dates". Did you mean "subscribed_date"? If the service has it, add to ' +
        'herald.yaml: service: { known_kinds: ["subscribed_dates"] }',
    );
  });

  test.each([
    [withKind('subscribed_dates'), 'known_kinds: [subscribed_dates]'],
    [withTrigger('welcome_mesage'), 'known_triggers: [welcome_mesage]'],
    [withMedia('images'), 'known_media_types: [images]'],
    [withMode('of'), 'known_online_check_modes: [of]'],
  ])('is allowed where herald.yaml says so (%#)', async (text, words) => {
    const tree = { 'herald.yaml': knowing(words), 'campaigns/a.yaml': text };
    expect(await places(tree)).toEqual([]);
    const other = { ...tree, 'herald.yaml': knowing(words.replace(/\[.*/, '[else]')) };
    expect(await places(other)).toHaveLength(1);
  });

  test('is not an error where the list of allowed words could not be read', async () => {
    const tree = { 'campaigns/a.yaml': withKind('subscribed_dates') };
    for (const words of ['known_kinds: subscribed_dates', 'known_kind: [subscribed_dates]'])
      expect(await places({ ...tree, 'herald.yaml': knowing(words) })).toEqual([
        expect.stringMatching(/^herald\.yaml:2:\d+: (?:invalid-type|unknown-key)$/),
      ]);
  });
});

// Variables are not filled in there, so the service would get their names.
test.each([
  [withKind('"{{kind}}"'), '6:32: unknown-filter-kind'],
  [withTrigger('"{{trigger}}"'), '4:14: unknown-trigger'],
  [withMode('"{{mode}}"'), '5:33: unknown-online-check-mode'],
])('a word is not a variable (%#)', async (text, place) => {
  expect(await placesIn(text)).toEqual([`a.yaml:${place}`]);
});

test.each([
  [withKind('online'), ['warning a.yaml:6:32: unknown-filter-kind']],
  [withTrigger('expired'), ['warning a.yaml:4:14: unknown-trigger']],
  [withMedia('sticker'), ['warning a.yaml:7:49: unknown-media-type']],
  [withMedia('{{photo}}'), []],
  [withMode('on'), ['warning a.yaml:5:33: unknown-online-check-mode']],
  [withMode('null'), []],
])('a word that is like none of the documentation stays possible (%#)', async (text, expected) => {
  expect(await placesIn(text)).toEqual(expected);
});
