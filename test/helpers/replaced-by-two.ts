import { campaign, declaring } from './declare-live.ts';
import { applied, liveOn } from './flows.ts';
import { aScene } from './scene.ts';

interface Other {
  /** What the version of the other operator says. This run replaces "Hey" with "Hello". */
  readonly text: string;
  /** True if both operators use one key. */
  readonly sameKey?: boolean;
  /** What becomes of the old version before this run stops it. */
  readonly old: 'paused' | 'archived';
}

/** An apply replaces a campaign, creating first. While it does, another operator makes a version and stops the old one. */
export async function replacedByTwo({ text, sameKey = false, old }: Other, ...flags: readonly string[]) {
  const files = (says: string) =>
    declaring({ campaigns: [campaign({ messages: [{ text: says }], replace: 'create_first' })] });
  const scene = aScene({ files: files('Hey') });
  await applied(scene);
  Object.assign(scene.files.tree, files('Hello'));
  const id = (await liveOn(scene, '101', 'campaign'))[0]?.id ?? '';
  const by = await scene.service((_, world) => world.accounts['101']?.campaigns[id]?.live.created_by);
  const theirs = { name: 'Welcome', trigger: 'welcome_message', messages: [{ text }] };
  await scene.fault({
    kind: 'change_before',
    operation: 'campaigns.create',
    nth: 1,
    seed: {
      account_id: '101',
      kind: 'campaign',
      set: sameKey ? { ...theirs, created_by: by } : theirs,
    },
  });
  await scene.fault({
    kind: 'change_before',
    operation: 'campaigns.get',
    nth: 1,
    edit: { account_id: '101', kind: 'campaign', id, set: { status: old } },
  });
  return { scene, run: await applied(scene, ...flags) };
}
