import { expect, it } from 'vitest';
import { campaign } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, outcomes, planned, writesSent } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

it('a world of 300 campaigns over 12 accounts: one removed is exactly one archived', async () => {
  const accounts = Array.from({ length: 12 }, (_, index) => ({ alias: `a${index}`, id: `${101 + index}` }));
  const all = accounts.flatMap(({ alias }) =>
    Array.from({ length: 25 }, (_, index) => ({ alias, name: `C${index}`, text: `${alias} says ${index}` })),
  );
  const filesOf = (resources: typeof all) =>
    Object.fromEntries(
      accounts.map(({ alias }) => {
        const own = resources.filter((one) => one.alias === alias);
        const written = own.map(({ name, text }) => campaign({ name, messages: [{ text }] }));
        return [`live/${alias}.yaml`, JSON.stringify({ accounts: [alias], campaigns: written })];
      }),
    );
  const aliases = Object.fromEntries(accounts.map(({ alias, id }) => [alias, { id }]));
  const workspace = `version: 1\nservice: { simulator: .herald/world.json }\naccounts: ${JSON.stringify(aliases)}\nfiles: ["live/*.yaml"]\n`;
  const scene = aScene({
    files: { 'herald.yaml': workspace, ...filesOf(all) },
    world: { accounts: accounts.map(({ id }) => ({ id })) },
  });
  expect((await applied(scene, '--allow', 'large')).report.summary.applied).toBe(300);
  const sent = await writesSent(scene);
  const removed = { alias: 'a7', name: 'C13' };
  Object.assign(
    scene.files.tree,
    filesOf(all.filter(({ alias, name }) => alias !== removed.alias || name !== removed.name)),
  );
  expect(decisions(await planned(scene))).toEqual(['unmanaged a7/campaign/C13']);
  expect(outcomes(await applied(scene))).toEqual([]);
  expect(await writesSent(scene)).toEqual(sent);
  expect(outcomes(await applied(scene, '--allow', 'prune'))).toEqual(['archive applied']);
  expect(await writesSent(scene)).toEqual([...sent, 'PATCH campaigns.set-status']);
  const live = (await Promise.all(accounts.map(({ id }) => liveOn(scene, id, 'campaign')))).flat();
  expect(live.filter(({ status }) => status !== 'active')).toMatchObject([
    { name: 'C13', text: 'a7 says 13', status: 'archived' },
  ]);
  expect(outcomes(await applied(scene, '--allow', 'prune'))).toEqual([]);
});
