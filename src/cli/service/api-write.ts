import { sendRaw, type RawSent, type RawWrite } from '../../acts/raw.ts';
import { withActRun } from '../act-run.ts';
import type { Service } from '../accounts.ts';
import type { Context } from '../context.ts';

/** Sends one call that changes something and that the catalogue does not have, on record. It was validated before. */
export async function writeOnRecord(
  context: Context,
  service: Service,
  write: Omit<RawWrite, 'account'>,
  ask: (() => Promise<void>) | null,
): Promise<RawSent> {
  const account = accountIn(service, write);
  return withActRun(context, service, { accounts: [account], command: 'api' }, (run) =>
    sendRaw(run, { ...write, account }, ask),
  );
}

/** The account in the path, for the record. Its id was typed, so no alias can have moved. */
function accountIn({ settings }: Service, { input }: Pick<RawWrite, 'input'>): RawWrite['account'] {
  const { account_id: id = '' } = (input.params ?? {}) as Readonly<Record<string, string>>;
  const named = settings.accounts.find(({ selector }) => selector.by === 'id' && selector.value === id);
  return { alias: named?.alias ?? id, accountId: id };
}
