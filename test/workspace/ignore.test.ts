import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, diagnose, load, placesIn, placesInWorkspace, WORKSPACE } from './declare.ts';

async function declaredWith(campaignLine: string, workspaceLine = '') {
  const loaded = await load({
    'herald.yaml': `${WORKSPACE}${workspaceLine}`,
    'campaigns/a.yaml': `${CAMPAIGN}${campaignLine}`,
  });
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
  return { ...loaded, first: loaded.declared[0] };
}

describe('ignore', () => {
  test('takes paths as plans print them, and keeps one spelling of each', async () => {
    const { first } = await declaredWith(
      '    ignore: ["messages[0].text", messages.0.text, "messages[*].price_gross", rules]\n',
    );
    expect(first?.ignore).toEqual(['messages.*.price_gross', 'messages.0.text', 'rules']);
  });

  test('of the workspace holds for every resource, next to its own', async () => {
    const line = 'ignore: [rules.online_check_mode]\n';
    expect((await declaredWith('', line)).first?.ignore).toEqual(['rules.online_check_mode']);
    expect((await declaredWith('    ignore: [trigger]\n', line)).first?.ignore).toEqual([
      'rules.online_check_mode',
      'trigger',
    ]);
  });

  test('of a path that nothing compares is an error with its place', async () => {
    expect(await placesIn(`${CAMPAIGN}    ignore: [rules, rules.end, name]\n`)).toEqual([
      'a.yaml:8:21: unknown-path',
      'a.yaml:8:32: unknown-path',
    ]);
    expect(await placesInWorkspace(`${WORKSPACE}ignore:\n  - messages.*.texts\n`)).toEqual([
      'herald.yaml:8:5: unknown-path',
    ]);
  });

  test('of a broadcast knows no trigger, and of a campaign no schedule', async () => {
    expect(await placesIn(`${CAMPAIGN}    ignore: [scheduled_at]\n`)).toEqual(['a.yaml:8:14: unknown-path']);
    expect(await placesIn(`${BROADCAST}    ignore: [trigger, scheduled_at]\n`)).toEqual([
      'a.yaml:7:14: unknown-path',
    ]);
  });

  test('says which path was probably meant, and all that there are', async () => {
    const [finding] = await diagnose({ 'campaigns/a.yaml': `${CAMPAIGN}    ignore: ["messages[0].txt"]\n` });
    expect(finding?.message).toContain('Did you mean "messages.*.text"?');
    expect(finding?.message).toContain('rules.send_delay_interval.min_sec');
  });
});

describe('protect', () => {
  test('is off by default', async () => {
    expect((await declaredWith('')).first?.protect).toBe(false);
    expect((await declaredWith('    protect: true\n')).first?.protect).toBe(true);
  });

  test('is true or false, nothing else', async () => {
    expect(await placesIn(`${CAMPAIGN}    protect: always\n`)).toEqual(['a.yaml:8:14: invalid-type']);
  });
});
