import type { World } from '../../src/simulator/world.ts';
import type { Scene } from './scene.ts';

/** A broadcast of a draft, and the command that sends it. */
export const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const DRAFT = 'drafts/today.yaml';

export function draftOf(more: object = {}, accounts: readonly string[] = ['alice']): Record<string, string> {
  return { [DRAFT]: JSON.stringify({ accounts, broadcasts: [{ ...FLASH, ...more }] }) };
}

export function sendFlash(scene: Scene, ...flags: string[]) {
  return scene.herald(...SEND_FLASH, ...flags);
}

export const SEND_FLASH = ['broadcasts', 'send', `${DRAFT}#${FLASH.name}`, '--allow', 'now', '--yes'];

/** What the first account has, as `id status`, lowest id first. */
export function broadcastsIn(world: World): string[] {
  return Object.values(world.accounts['101']?.broadcasts ?? {}).map(
    ({ live }) => `${live.id} ${live.status ?? 'null'}`,
  );
}

/** What a connection that the other side closes does to a request. */
export const CLOSED = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
