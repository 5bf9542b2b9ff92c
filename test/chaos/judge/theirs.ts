import { OWN_WORDS } from '../declare.ts';
import { keyOf, type Live } from '../live.ts';
import type { Facts } from './facts.ts';

/** Whether a person made the object with words of their own, and no one has allowed Herald to take it over. */
export function isTheirs({ chaos }: Facts, object: Live): boolean {
  if (!chaos.people.made.has(keyOf(object)) || !object.content.text.endsWith(OWN_WORDS)) return false;
  return !chaos.processes.some(({ task }) => task.allow.includes('adopt'));
}
