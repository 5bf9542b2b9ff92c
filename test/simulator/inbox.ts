import type { PostEvent } from '../../src/simulator/webhooks.ts';
import type { Json } from './visit.ts';

/** Keeps what the simulator delivers, and answers it as the test wants. */
export interface Inbox {
  readonly post: PostEvent;
  readonly bodies: string[];
  readonly urls: string[];
  /** A status, or null for no answer. */
  answer: number | null;
  /** The bodies as objects. */
  events(): Json[];
}

export function anInbox(): Inbox {
  const inbox: Inbox = {
    bodies: [],
    urls: [],
    answer: 200,
    events: () => inbox.bodies.map((body) => JSON.parse(body)),
    post: async (url, body) => {
      inbox.urls.push(url);
      inbox.bodies.push(body);
      if (inbox.answer === null) throw new Error('no answer');
      return inbox.answer;
    },
  };
  return inbox;
}

export const HOOK = 'http://receiver.test/events/SECRET';
