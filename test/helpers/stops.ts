import { NOON, type Scene } from './scene.ts';

export const HOUR = 3_600_000;

/** Moves the clock of a scene to this time of its first day. */
export function moveTo(scene: Scene, hour: number, minute: number, second = 0): void {
  scene.clock.move(NOON + (hour - 12) * HOUR + minute * 60_000 + second * 1_000 - scene.clock.now());
}

/** Another copy of the first broadcast of the account, made with the same key. */
async function copyOf(scene: Scene, accountId: string) {
  const live = await scene.look((control, world) => {
    control.now();
    return Object.values(world.accounts[accountId]?.broadcasts ?? {})[0]?.live;
  });
  if (live === undefined) throw new Error(`no broadcast on ${accountId}`);
  const { name, scheduled_at, messages, created_by } = live;
  const texts = messages.map(({ text }) => ({ text }));
  return { name, scheduled_at, status: 'scheduled', messages: texts, created_by };
}

/** Adds such a copy. Answers its id. */
export async function addCopy(scene: Scene, accountId = '101'): Promise<string> {
  const seed = await copyOf(scene, accountId);
  return (await scene.service((control) => control.seedBroadcast(accountId, seed))).id;
}

/** The texts that fans got until a day later, each with how often one fan got it. */
export async function sentInTheEnd(scene: Scene, accountId?: string): Promise<Record<string, number>> {
  scene.clock.move(24 * HOUR);
  const { dispatch_counts: counts } = await scene.oracle();
  const sent: Record<string, number> = {};
  for (const { account_id, text, count } of counts) {
    if (accountId !== undefined && account_id !== accountId) continue;
    sent[text ?? ''] = Math.max(sent[text ?? ''] ?? 0, count);
  }
  return sent;
}
