import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShape } from '../../src/cli/schemas.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';
import type { Client } from '../../src/api/client.ts';
import { readOwner } from '../../src/cli/read-list.ts';
import { readSources } from '../../src/api/read-sources.ts';
import { findList } from '../../src/api/lists.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const listed = listShape.extend({ items: z.array(z.record(z.string(), z.unknown())) });
const item = z.looseObject({ item: z.record(z.string(), z.unknown()) });

const ODD = { name: 7, email: { a: 1 }, custom_label: false, subscribe_price: '9.90' };

describe('a value of another type than documented', () => {
  it.each(['json', 'csv'])('is shown as it came in a list, and not as null: %s', async (format) => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'accounts.list', set: ODD, times: 9 });
    const ran = await scene.herald('accounts', 'list', '--format', format);
    expect(ran.code).toBe(0);
    if (format === 'json') expect(documentOf(ran, listed).items[0]).toMatchObject(ODD);
    else expect(ran.stdout).toContain('9.90');
  });

  it('is shown as it came by get, for a campaign', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    await scene.fault({
      kind: 'odd_reply',
      operation: 'campaigns.get',
      set: { created_at: 5, targeted_sends_count: '12' },
      times: 9,
    });
    const ran = await scene.herald('campaigns', 'get', 'alice/campaign/Welcome', '--format', 'json');
    expect(documentOf(ran, item).item).toMatchObject({ created_at: 5, targeted_sends_count: '12' });
  });
});

describe('the names of members', () => {
  const METRICS = ['team', 'metrics', '--from', '7d'];
  const NO_MEMBERS = {
    kind: 'broken_answer',
    operation: 'team.members',
    nth: 1,
    times: 50,
    when: 'before_commit',
    how: '500',
  } as const;

  it('are next to their figures, from the list of members', async () => {
    const scene = aScene();
    const members = documentOf(await scene.herald('team', 'members', '--format', 'json'), listed).items;
    const ran = await scene.herald(...METRICS);
    expect(ran.code).toBe(0);
    const [heading = '', first = ''] = ran.stdout.split('\n');
    expect(heading).toMatch(/^user_id +name +/);
    const [id = ''] = first.split(' ');
    const member = members.find((one) => String(one['id']) === id);
    expect(first).toContain(String(member?.['name']));
  });

  it('come with the aliases of creators on request', async () => {
    const scene = aScene();
    const ran = await scene.herald(...METRICS, '--columns', 'user_name,creators', '--format', 'csv');
    expect(ran.stdout.split('\n')[0]).toBe('user_name,creators');
    expect(ran.stdout).toMatch(/alice/);
  });

  it('are not asked for where they are not shown, and JSON is as the service answers', async () => {
    const scene = aScene();
    await scene.fault(NO_MEMBERS);
    const ran = await scene.herald(...METRICS, '--format', 'json');
    expect(documentOf(ran, listed).items[0]).not.toHaveProperty('user_name');
    expect(ran.stderr).toBe('');
  });

  it('are left out with a warning if the members cannot be read', async () => {
    const scene = aScene();
    await scene.fault(NO_MEMBERS);
    const ran = await scene.herald(...METRICS);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('The names of members could not be read');
  });
});

describe('a list that moved while it was read', () => {
  // LIST-2
  it('is not called complete, because rows may be missing', async () => {
    const pages = [upTo(50), [49, ...upTo(20)]];
    const client: Pick<Client, 'prepareRow' | 'warnOnce'> = {
      warnOnce: () => undefined,
      prepareRow: () => async () => ({
        kind: 'done',
        reply: { users: (pages.shift() ?? []).map((id) => ({ id })) },
        sentAtMs: 0,
      }),
    };
    const settings = { service: { platforms: { primary: 'platform_a', secondary: 'platform_b' } } };
    const rows = readOwner(
      { client: client as Client, settings },
      findList('team members'),
      { account: null, accountId: null, params: {} },
      { queries: [{}], limit: undefined, start: {}, onFacts: () => undefined, onWarning: () => undefined },
    );
    const reading = readSources([{ account: '', pages: () => rows }]);
    let step = await reading.next();
    while (step.done !== true) step = await reading.next();
    expect(step.value.complete).toBe(false);
    expect(step.value.failures.map(({ error }) => String(error)).join()).toContain('rows may be missing');
  });
});
