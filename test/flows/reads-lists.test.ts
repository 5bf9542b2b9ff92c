import type { ListColumn } from '../../src/domain/list-column.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShape } from '../../src/cli/schemas.ts';
import { LIST_NAMES, LIST_COMMANDS } from '../../src/api/lists.ts';
import { LIST_CASES, writeListCommand } from '../cli/lists/call-examples.ts';
import { documentOf } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';

const listed = listShape.extend({ items: z.array(z.record(z.string(), z.unknown())) });

/** A workspace with a service that has something in every list. */
const aFullScene = madeOnce(async () => {
  const scene = aScene();
  await scene.service((control) => {
    control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hi' }, { text: 'Still here?' }] });
    control.seedBroadcast('101', { name: 'News', messages: [{ text: 'New' }] });
    control.setData({
      subscriptions: 40,
      tracking_links: 12,
      tracking_link_users: 30,
      trial_links: 11,
      trial_link_users: 30,
      chargebacks: 14,
      transactions: 1100,
    });
    control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 230 } });
    control.seed({ account_id: '101', kind: 'payout_request', set: {} });
    control.seed({ account_id: '101', kind: 'vault_folder', set: { id: '77', photos: 23 } });
    control.seed({ account_id: '101', kind: 'vault_upload', set: { name: 'a.jpg', status: 'processing' } });
  });
  return scene;
});

describe.each(LIST_NAMES)('herald %s', (name) => {
  const [, rows] = LIST_CASES[name];
  const command = writeListCommand(name);

  it(`reads all of the service's pages, and prints the same items in every format`, async () => {
    const scene = await aFullScene();
    const ran = await scene.herald(...command, '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([0, rows, true]);
    const owner = LIST_COMMANDS[name].who === 'organisation' ? undefined : 'alice';
    expect(new Set(items.map(({ account }) => account))).toEqual(new Set([owner]));
    const lines = (await scene.herald(...command, '--format', 'ndjson')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(items);
    const csv = await scene.herald(...command, '--format', 'csv');
    const [header = ''] = csv.stdout.split('\n');
    const account = LIST_COMMANDS[name].who === 'organisation' ? [] : ['account'];
    // What is looked up in another list is for people.
    const columns = LIST_COMMANDS[name].columns.filter(({ lookedUp }) => lookedUp !== true);
    expect(header.split(',')).toEqual([...account, ...columns.map(({ path }) => path)]);
  });

  it('draws a table with a heading and a line for each row', async () => {
    const { code, stdout } = await (await aFullScene()).herald(...command);
    expect(code).toBe(0);
    const [heading = '', ...lines] = stdout.trimEnd().split('\n');
    expect(lines.length).toBe(rows);
    const columns: readonly ListColumn[] = LIST_COMMANDS[name].columns;
    for (const { header, path, wide } of columns)
      expect(heading.split(/ {2,}/).includes(header ?? path), path).toBe(wide !== true);
  });

  it('stops early with --limit', async () => {
    const ran = await (await aFullScene()).herald(...command, '--format', 'json', '--limit', '3');
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([0, Math.min(3, rows), true]);
  });

  it.each(LIST_COMMANDS[name].examples)('runs its example: %s', async (example) => {
    const [line = ''] = example.split(' > ');
    const alone = `${WORKSPACE.replace(/ {2}bob: .*\n/, '')}groups: { vip: [alice] }\n`;
    const scene = aScene({ files: { 'herald.yaml': alone } });
    await scene.service((control) => {
      control.seed({ account_id: '101', kind: 'vault_folder', set: { id: '12', photos: 3 } });
      control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '9001', messages: 3 } });
    });
    // The examples name days of a November that has yet to come here.
    scene.clock.move(Date.UTC(2026, 11, 24) - scene.clock.now());
    const { code, stderr } = await scene.herald(...line.split(' ').slice(1));
    expect([code, stderr.includes('error')]).toEqual([0, false]);
  });
});
