import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { page } from '../../domain/visible.ts';
import { recordOfId } from '../../acts/upload/records.ts';
import { cellText } from '../../render/cells.ts';
import { drawFields, type Field } from '../../render/fields.ts';
import { renderJson } from '../../render/json.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { chooseAccount, openServiceToRead, warnOfMoved } from '../accounts.ts';
import { valueOf } from './list-columns.ts';
import { listOf } from '../../api/lists.ts';
import type { ListFlags } from './query.ts';
import { maskSecretUrls } from '../../api/lists.ts';
import { onlyOne } from './sources.ts';

/**
 * `herald vault uploads --id ID`: one upload, in any state. No endpoint reads a single one, so the whole list is
 * searched, expired ones included (VAULT-13).
 */
export async function getUploadCommand(context: Context, id: string, flags: ListFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  refuseListFlags(flags);
  const service = await openServiceToRead(context);
  const chosen = await chooseAccount(service, onlyOne(flags.account));
  await warnOfMoved(context, service, [chosen]);
  const { alias, accountId } = chosen;
  // New uploads shift the pages, so one reading without it does not prove that it is missing.
  const record =
    (await recordOfId(service.client, accountId, id)) ?? (await recordOfId(service.client, accountId, id));
  if (record === null)
    throw new HeraldError(
      'not-found',
      `Account ${alias} does not have an upload ${id}. Expired uploads were searched, too.`,
      `To see all uploads: ${formatCommand('vault', 'uploads', '--account', alias, '--expired')}`,
    );
  const definition = listOf('vault uploads');
  const item = maskSecretUrls(definition, record);
  if (format === 'json') {
    context.output.result(renderJson({ schema: 'herald/item/1', item: { account: alias, ...item } }));
    return EXIT.done;
  }
  const fields = [...definition.columns, ...definition.more].map((column): Field => [
    column.header ?? column.path,
    cellText(valueOf(definition, item, column), column),
  ]);
  const { colour, width } = context.output;
  context.output.result(page(drawFields([['account', alias], ...fields], { colour, width })));
  return EXIT.done;
}

/** Refuses flags that select rows. */
function refuseListFlags({ limit, columns }: ListFlags): void {
  const given = Object.entries({ limit, columns }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  const names = given.map(([name]) => `--${name}`).join(', ');
  throw new HeraldError('bad-flag', `--id shows one upload and cannot be combined with ${names}.`);
}
