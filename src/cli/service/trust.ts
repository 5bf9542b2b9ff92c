import { EXIT } from '../../domain/exit-codes.ts';
import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { page, shown, visible } from '../../domain/visible.ts';
import { originOf } from '../../library/connect.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface TrustFlags {
  readonly list: boolean;
  readonly remove: boolean;
}

/** `herald trust ORIGIN`: manages the services that may receive this user's API key. */
export async function trustCommand(
  context: Context,
  given: string | undefined,
  flags: TrustFlags,
): Promise<number> {
  const { output, trusted } = context;
  const known = await trusted.list();
  if (given === undefined) {
    if (!flags.list)
      throw new HeraldError(
        'missing-origin',
        'No origin given.',
        `Use ${formatCommand('trust', 'https://api.example')}, or ${formatCommand('trust', '--list')}.`,
      );
    output.result(known.length === 0 ? shown`No trusted services.` : page(known.map(visible)));
    return EXIT.done;
  }
  const origin = checkedOrigin(given);
  const others = known.filter((one) => one !== origin);
  await trusted.replace(flags.remove ? others : [...others, origin]);
  output.result(
    flags.remove
      ? shown`${origin} ${known.includes(origin) ? 'is no longer trusted' : 'was not trusted'}.`
      : shown`${origin} may receive the API key. Saved in ${trusted.path}.`,
  );
  return EXIT.done;
}

function checkedOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return originOf(text);
  throw new HeraldError(
    'bad-origin',
    `"${visible(text)}" is not an https address.`,
    'Write it as https://api.example.',
  );
}
