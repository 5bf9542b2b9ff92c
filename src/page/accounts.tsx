import type { FC } from 'hono/jsx';
import type { Change } from '../domain/change.ts';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { groupBy } from '../domain/group-by.ts';
import { visible } from '../domain/visible.ts';
import type { Model } from './model.ts';
import { listed, Text } from './text.tsx';
import { countedWord } from './words.ts';

/** Names of missing resources that a row shows. */
const MISSING_NAMED = 3;

/** Each account, with the number of its resources by action, and the names of those that only other accounts have. */
export const Accounts: FC<{ readonly model: Model }> = ({ model }) => {
  const { accounts, plan, title } = model;
  const kinds = CHANGE_KINDS.filter((kind) => plan.changes.some(({ action }) => action === kind));
  const changes = groupBy(plan.changes, ({ address }) => address.account);
  const everywhere = new Map(plan.changes.filter(isDeclared).map((change) => [nameResource(change), change]));
  const findMissing = (own: readonly Change[]) => {
    const has = new Set(own.map(nameResource));
    return [...everywhere].flatMap(([key, { address }]) => (has.has(key) ? [] : [address.name]));
  };
  const rows = accounts.map((alias) => {
    const own = changes.get(alias) ?? [];
    return { alias, own: groupBy(own, ({ action }) => action), missing: findMissing(own) };
  });
  const hasGaps = rows.some(({ missing }) => missing.length > 0);
  return (
    <section id="accounts" aria-labelledby="h-accounts">
      <h2 id="h-accounts">Accounts</h2>
      {accounts.length === 0 ? <p class="mute">No accounts in this workspace.</p> : null}
      {kinds.length === 0 || accounts.length === 0 ? null : (
        <div class="scroll" tabindex={0} role="region" aria-label="Table of accounts">
          <table>
            <thead>
              <tr>
                <th scope="col">Account</th>
                {kinds.map((kind) => (
                  <th scope="col" class="num">
                    {countedWord(title, kind)}
                  </th>
                ))}
                {hasGaps ? <th scope="col">On other accounts only</th> : null}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ alias, own, missing }) => (
                <tr>
                  <th scope="row">
                    <a href={`#${new URLSearchParams({ account: visible(alias) }).toString()}`}>
                      <Text text={alias} />
                    </a>
                  </th>
                  {kinds.map((kind) => (
                    <td class="num">{own.get(kind)?.length ?? 0}</td>
                  ))}
                  {hasGaps ? (
                    <td>
                      <Text text={listSome(missing)} />
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

function isDeclared({ action }: Change): boolean {
  return action !== 'unmanaged' && action !== 'retire';
}

function nameResource({ address }: Change): string {
  return `${address.kind}\n${address.name}`;
}

/** `Late session, Setlist vote and 2 more`. */
function listSome(names: readonly string[]): string {
  if (names.length <= MISSING_NAMED) return listed(names);
  return `${names.slice(0, MISSING_NAMED - 1).join(', ')} and ${names.length - MISSING_NAMED + 1} more`;
}
