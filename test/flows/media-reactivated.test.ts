import { expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { HELLO } from '../helpers/uploads.ts';

const HOUR = 3_600_000;
/** Someone archived it on the service, so a person must allow that it runs again. */
const RESUME = ['--allow', 'resume'];
const message = { text: 'Look', attachments: [{ file: 'media/hello.jpg' }] };

/** A campaign that shows a file, archived since, in a service that switches on nothing that is archived. */
async function archived(): Promise<Scene> {
  const made = aScene({
    files: declaring({ campaigns: [campaign({ messages: [message] })] }),
    world: { modes: { archivedToActive: 'refuse' } },
  });
  made.bytes.blobs['live/media/hello.jpg'] = HELLO;
  expect((await applied(made)).code).toBe(0);
  await made.service((control, world) => {
    const [id = ''] = Object.keys(world.accounts['101']?.campaigns ?? {});
    control.editCampaign('101', id, { status: 'archived' });
  });
  made.clock.move(24 * HOUR);
  const { plan } = await planned(made, ...RESUME);
  expect(plan.changes.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
    ['reactivate', 'read_back'],
  ]);
  return made;
}

it('a campaign that cannot be switched on is created again', async () => {
  const made = await archived();
  expect((await applied(made, ...RESUME)).code).toBe(0);
  expect(await statuses(made, 'campaign')).toEqual(['archived', 'active']);
});

it('and goes by a list that was read after its files were looked for', async () => {
  const made = await archived();
  await made.fault({ kind: 'slow', operation: 'vault.thumbnail', delay_ms: 60_000 });
  const seed = {
    account_id: '101',
    kind: 'campaign',
    set: { name: 'Welcome', status: 'active' },
  } as const;
  await made.fault({ kind: 'change_before', operation: 'vault.thumbnail', nth: 1, seed });
  const run = await applied(made, ...RESUME);
  expect(outcomes(run)).toEqual(['activate failed']);
  expect(messages(run)).toContain('appeared with this name');
  expect(await createsSent(made)).toBe(1);
});
