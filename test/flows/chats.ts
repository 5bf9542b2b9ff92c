import type { Scene } from '../helpers/scene.ts';
import type { ChatTruth } from '../../src/simulator/control.ts';

export const CHAT = '101001';
export const SEND = ['chat', 'send', CHAT, '--account', 'alice'] as const;

/** What alice's chats have really seen. */
export async function chatTruth(scene: Scene): Promise<ChatTruth> {
  const { chats } = await scene.oracle();
  const alice = chats['101'];
  if (alice === undefined) throw new Error('account 101 does not exist');
  return alice;
}

/** The texts that were really queued in the chat by the API, oldest first. */
export async function queued(scene: Scene): Promise<(string | null)[]> {
  return ((await chatTruth(scene)).sends[CHAT] ?? []).map(({ text }) => text);
}

/** How many requests of the operation reached the service. */
export async function sent(scene: Scene, operation: string): Promise<number> {
  const { requests } = await scene.oracle();
  return requests.filter((request) => request.operation === operation).length;
}
