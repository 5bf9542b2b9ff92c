import type { Context } from './context.ts';
import { isLoopback } from '../domain/service-identity.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { shown } from '../domain/visible.ts';
import { wordsOf } from '../workspace/environment.ts';
import { CommandError } from './failure.ts';

/**
 * Throws unless the operator has said that the key may go to this service. `herald.yaml` may come from anyone who can
 * open a pull request, so its address alone is not enough.
 */
export async function requireTrustedOrigin(
  context: Context,
  { target, identity }: ServiceSettings,
): Promise<void> {
  if (target.kind !== 'http' || identity.source !== 'herald.yaml' || !URL.canParse(target.baseUrl)) return;
  const url = new URL(target.baseUrl);
  if (isLoopback(url)) return;
  if (wordsOf(context.env['HERALD_ALLOWED_ORIGINS']).map(originOf).includes(url.origin)) return;
  if ((await context.trusted.list()).includes(url.origin)) return;
  if (
    context.interactive &&
    (await context.confirm(
      shown`Send the API key to ${url.origin}? Only herald.yaml names this address so far.`,
    ))
  ) {
    await context.trusted.replace([...(await context.trusted.list()), url.origin]);
    context.output.say(
      shown`Remembered in ${context.trusted.path}. To take it back: herald trust --remove ${url.origin}`,
    );
    return;
  }
  throw new CommandError(
    'untrusted-origin',
    `The API key may not be sent to ${url.origin}: only herald.yaml names this address. Nothing was sent.`,
    `If it is right, run herald trust ${url.origin}. In CI set HERALD_ALLOWED_ORIGINS=${url.origin} or HERALD_BASE_URL.`,
  );
}

/** The origin of an address, or the text itself where it is none. */
export function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}
