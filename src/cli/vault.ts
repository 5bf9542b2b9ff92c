import { recordOfId } from '../acts/upload/records.ts';
import { withoutSignatures } from '../api/key.ts';
import type { ListDefinition } from '../api/lists.ts';
import { chooseAccount, warnOfMoved } from './accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from './context.ts';
import { itemDocument } from './define-command.ts';
import { chooseFormat, REPORT_FORMATS } from './formats.ts';
import { drawItem } from './print-rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { type ExitCode, EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { page } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';

interface GivenUpload {
  readonly id: string;
  readonly accounts: readonly string[] | undefined;
  readonly limit: number | undefined;
  readonly columns: string | undefined;
}

/**
 * Prints one upload, in any state. No endpoint reads a single one, so the whole list is searched, expired ones included
 * (VAULT-13).
 */
export async function printUpload(
  context: Context,
  definition: ListDefinition,
  { id, accounts = [], limit, columns }: GivenUpload,
  service: Service,
): Promise<ExitCode> {
  const format = chooseFormat(context, REPORT_FORMATS);
  if (limit !== undefined || columns !== undefined || accounts.length > 1)
    throw new HeraldError(
      'bad-flag',
      '--id shows one upload of one account, and cannot be combined with --limit, --columns or several --account.',
    );
  const { alias, accountId } = await chooseAccount(service, accounts[0]);
  await warnOfMoved(context, service, [{ alias, accountId }]);
  // New uploads shift the pages, so one reading without it does not prove that it is missing.
  const record =
    (await recordOfId(service.client, accountId, id)) ?? (await recordOfId(service.client, accountId, id));
  if (record === null)
    throw new HeraldError(
      'not-found',
      `Account ${alias} does not have an upload ${id}. Expired uploads were searched, too.`,
      `To see all uploads: ${formatCommand('vault', 'uploads', '--account', alias, '--expired')}`,
    );
  const item = withoutSignatures(record);
  context.output.result(
    format === 'json'
      ? renderJson(itemDocument({ account: alias, ...item }))
      : page(drawItem(context.output, definition, alias, item)),
  );
  return EXIT.done;
}
