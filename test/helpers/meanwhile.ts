import { altered, type AlteredOptions } from './altered.ts';

/** A request on its way, such as `POST create` or `PATCH 77 paused`. */
async function wordsOf(request: Request): Promise<string> {
  const id = /-campaigns\/(\d+)/.exec(request.url)?.[1] ?? '';
  const body = request.method === 'PATCH' ? ((await request.clone().json()) as { status?: string }) : {};
  return [request.method, id === '' ? 'create' : id, body.status ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

/** How a request on its way meets what is done meanwhile. */
export interface Meanwhile {
  /** The first request of these words, as `wordsOf` gives them. */
  readonly at: string;
  /** Done when that request has left, and waited for; then it reaches the service. */
  readonly act: () => Promise<unknown>;
}

/**
 * A service at which something happens while a request is on its way. Nothing happens before `expect`. Only requests
 * that change something are looked at.
 */
export function meanwhileService(options: AlteredOptions = {}) {
  let next: Meanwhile | null = null;
  const service = altered(async (request, answer) => {
    const due = next;
    if (due === null || request.method === 'GET' || (await wordsOf(request)) !== due.at) return answer();
    next = null;
    await due.act();
    return answer();
  }, options);
  return {
    ...service,
    /** What is to happen, and when. */
    expect: (meanwhile: Meanwhile) => {
      next = meanwhile;
    },
  };
}
