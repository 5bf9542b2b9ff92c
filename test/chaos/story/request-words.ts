import { aliasOf } from '../declare.ts';

/** What a request asks for. */
export interface RequestWords {
  readonly text: string;
  readonly isWrite: boolean;
}

const LISTS: readonly (readonly [RegExp, string])[] = [
  [/auto-message-campaigns/, 'campaign'],
  [/priority-mass-message-campaigns/, 'broadcast'],
];
/** Longer bodies are cut here. */
const BODY_MAX = 160;

export async function requestWords(request: Request): Promise<RequestWords> {
  const { pathname } = new URL(request.url);
  const [, accountId = '', rest = ''] = /accounts\/(\d+)\/(.*)$/.exec(pathname) ?? [];
  const where = accountId === '' ? pathname : `${rest} of ${aliasOf(accountId)}`;
  if (request.method === 'GET') return { text: `reads ${where}`, isWrite: false };
  const body = await request.clone().text();
  const kind = LISTS.find(([pattern]) => pattern.test(rest))?.[1];
  const [, id, action] = /\/(\w+)\/(status|unsend)$/.exec(rest) ?? [];
  if (kind === undefined)
    return { text: `${request.method} ${where} ${body.slice(0, BODY_MAX)}`, isWrite: true };
  if (id === undefined) return { text: createWords(kind, aliasOf(accountId), body), isWrite: true };
  const object = `${kind} ${id} of ${aliasOf(accountId)}`;
  const text = action === 'unsend' ? `recall ${object}` : `set ${object} to ${memberOf(body, 'status')}`;
  return { text, isWrite: true };
}

function createWords(kind: string, account: string, body: string): string {
  const hour = memberOf(body, 'scheduled_at');
  const at = hour === '' ? '' : `, to go out at ${hour}`;
  const [first] = messagesOf(body);
  const shown = first?.attachments?.length ?? 0;
  const files = shown === 0 ? '' : ` with ${shown} ${shown === 1 ? 'file' : 'files'}`;
  return `create ${kind} "${memberOf(body, 'name')}" of ${account} that says "${first?.text ?? ''}"${files}${at}`;
}

function memberOf(body: string, key: string): string {
  const value = (JSON.parse(body) as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : '';
}

function messagesOf(body: string): readonly { text?: string; attachments?: readonly unknown[] }[] {
  return (
    (JSON.parse(body) as { messages?: { text?: string; attachments?: readonly unknown[] }[] }).messages ?? []
  );
}

/** Reads that succeed are left out: there are many, and they change nothing. */
export function isTold({ isWrite }: RequestWords, status: number): boolean {
  return isWrite || status >= 400;
}

export function answerWords(status: number): string {
  return `answered ${status}`;
}
