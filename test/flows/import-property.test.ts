import { expect, it } from 'vitest';
import type { BroadcastSeed, CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { decisions, planned, writesSent } from '../helpers/flows.ts';
import { account, handBuilt, sureBroadcast, sureCampaign } from '../helpers/hand-built.ts';
import { anEmptyScene, imported } from '../helpers/imports.ts';
import { fc, runs } from '../helpers/properties.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const RUNS = runs(5);
const TIMEOUT_MS = 120_000;

/** A scene with the files and the service of another one, and a state that knows nothing. */
const withoutState = ({ files, clock }: Scene) => aScene({ files: files.tree, clock });

it(
  'leaves a quiet plan, whatever was built by hand, with the state and without',
  { timeout: TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        handBuilt,
        async ({ sureCampaigns, sureBroadcasts, shared, campaigns, broadcasts }) => {
          const scene = anEmptyScene();
          const sureIds: string[] = [];
          const live = await scene.service((control) => {
            for (const { account: on, seed } of campaigns) control.seedCampaign(on, seed);
            for (const { account: on, seed } of broadcasts) control.seedBroadcast(on, seed);
            const told = (index: number, seed: CampaignSeed | BroadcastSeed) =>
              `${seed.name ?? ''} (${index})`;
            sureCampaigns.forEach(({ account: on, seed }, index) =>
              sureIds.push(control.seedCampaign(on, { ...seed, name: told(index, seed) }).id),
            );
            sureBroadcasts.forEach(({ account: on, seed }, index) =>
              sureIds.push(control.seedBroadcast(on, { ...seed, name: told(index, seed) }).id),
            );
            shared.forEach((seed, index) => {
              for (const on of ['101', '102'])
                sureIds.push(control.seedCampaign(on, { ...seed, name: told(100 + index, seed) }).id);
            });
            return campaigns.length + broadcasts.length + sureIds.length;
          });

          const { ran, report } = await imported(scene);
          expect(ran.code, ran.stdout + ran.stderr).toBe(0);
          expect(report.imported + report.left_out.length, 'everything is imported or listed').toBe(live);
          expect(report.left_out.filter(({ live_id: left }) => sureIds.includes(left))).toEqual([]);

          for (const after of [scene, withoutState(scene)]) {
            const { code, plan } = await planned(after, '--detailed-exitcode');
            expect(code, JSON.stringify(plan.changes.filter(({ action }) => action !== 'keep'))).toBe(0);
            expect(decisions({ plan }).filter((line) => !line.startsWith('unmanaged '))).toEqual([]);
            expect(plan.summary.keep).toBe(report.imported);
          }
          expect(await writesSent(scene)).toEqual([]);
        },
      ),
      RUNS,
    );
  },
);

const edited = fc.record({
  campaigns: fc.array(fc.record({ account, was: sureCampaign, is: sureCampaign }), { maxLength: 5 }),
  broadcasts: fc.array(fc.record({ account, was: sureBroadcast, is: sureBroadcast }), { maxLength: 3 }),
});

it(
  'refreshes every file after any change by hand, and the plan is quiet again',
  { timeout: TIMEOUT_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ campaigns, broadcasts }) => {
        const scene = anEmptyScene();
        const ids = await scene.service((control) => ({
          campaigns: campaigns.map(
            ({ account: on, was }, index) => control.seedCampaign(on, { ...was, name: `C ${index}` }).id,
          ),
          broadcasts: broadcasts.map(
            ({ account: on, was }, index) => control.seedBroadcast(on, { ...was, name: `B ${index}` }).id,
          ),
        }));
        await imported(scene);
        await scene.service((control) => {
          campaigns.forEach(({ account: on, is: { name: _name, ...set } }, index) =>
            control.editCampaign(on, ids.campaigns[index] ?? '', set),
          );
          broadcasts.forEach(({ account: on, is: { name: _name, ...set } }, index) =>
            control.editBroadcast(on, ids.broadcasts[index] ?? '', set),
          );
        });
        const { ran, report } = await imported(scene, '--update');
        expect(ran.code, ran.stdout + ran.stderr).toBe(0);
        expect(report).toMatchObject({ imported: 0, left_out: [] });
        for (const after of [scene, withoutState(scene)]) {
          const { code, plan } = await planned(after, '--detailed-exitcode');
          expect(code, JSON.stringify(plan.changes.filter(({ action }) => action !== 'keep'))).toBe(0);
          expect(plan.summary.keep).toBe(campaigns.length + broadcasts.length);
        }
      }),
      RUNS,
    );
  },
);
