import type { FC } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import type { Change } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { visible } from '../domain/visible.ts';
import { isIrreversible } from '../render/summary.ts';
import { count } from '../render/wording.ts';
import { ChangeCard } from './card.tsx';
import { countMatching } from './head.tsx';
import type { Card, Model } from './model.ts';
import { Command, Mark, Text } from './text.tsx';
import { labelAction, sentence } from './words.ts';

/** Above this many cards, only what needs a person is open. */
const OPEN_MAX = 12;
/** Above this many, the browser draws a card when it comes into view. */
const MANY = 40;
const UNMANAGED_SHOWN = 500;

/** The cards with their filters. */
export const Changes: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, unmanaged, title } = model;
  const few = cards.length <= OPEN_MAX;
  return (
    <section id="changes" aria-labelledby="h-changes">
      <h2 id="h-changes">
        {title === 'preview' ? 'Resources' : title === 'drift' ? 'Differences' : 'Changes'}
      </h2>
      {cards.length > 0 ? null : <p class="mute">No changes. {countMatching(model.plan.changes)}</p>}
      {cards.length === 0 ? null : <Filters model={model} />}
      <p id="none" hidden>
        No change matches these filters.
      </p>
      <div class={cards.length > MANY ? 'cards many' : 'cards'}>
        {cards.map((card) => (
          <ChangeCard card={card} model={model} isOpen={few ? isWorthOpening(card) : needsPerson(card)} />
        ))}
        {unmanaged.length === 0 ? null : <Unmanaged model={model} />}
      </div>
    </section>
  );
};

function needsPerson({ shared }: Card): boolean {
  return isIrreversible(shared) || shared.action === 'blocked';
}

function isWorthOpening(card: Card): boolean {
  const hasText = card.shared.fields.some(({ path }) => path.endsWith('.text'));
  return needsPerson(card) || hasText || card.shared.action === 'create';
}

const Filters: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, title, accounts } = model;
  const actions = CHANGE_KINDS.filter((kind) => cards.some(({ shared }) => shared.action === kind));
  return (
    <form class="bar tools js" id="filters" hidden role="search" aria-label="Filter changes">
      <label class="vh" for="q">
        Search texts and names
      </label>
      <input type="search" id="q" name="q" placeholder="Search texts and names" autocomplete="off" />
      <label class="field">
        <span class="vh">Account</span>
        <select name="account">
          <option value="">All accounts</option>
          {accounts.map((alias) => (
            <option value={visible(alias)}>
              <Text text={alias} />
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="vh">Kind</span>
        <select name="kind">
          <option value="">All kinds</option>
          <option value="campaign">Campaigns</option>
          <option value="broadcast">Broadcasts</option>
        </select>
      </label>
      <label class="field">
        <span class="vh">Action</span>
        <select name="action">
          <option value="">All actions</option>
          {actions.map((action) => (
            <option value={action}>{sentence(labelAction(title, action))}</option>
          ))}
        </select>
      </label>
      <button class="btn" id="clear" type="reset" hidden>
        Clear
      </button>
      <output id="shown" for="q" />
      <button class="btn" id="fold" type="button">
        Open all
      </button>
    </form>
  );
};

/** Live and in no file: one entry for all, because Herald does nothing with them. */
const Unmanaged: FC<{ readonly model: Model }> = ({ model: { unmanaged, accounts } }) => {
  const own = [...new Set(unmanaged.map(({ address }) => address.account))];
  const indexes = own.map((alias) => accounts.indexOf(alias)).join(' ');
  return (
    <article
      class="card"
      id="unmanaged"
      data-kind=""
      data-action="unmanaged"
      data-accounts={indexes}
      data-changes={0}
    >
      <details>
        <summary>
          <Mark action="unmanaged" />
          <div>
            <h3 class="ttl">{unmanaged.length} unmanaged</h3>
            <p class="why">Live and in no file. Herald does not change them.</p>
          </div>
          <span class="reach">
            {count(own.length, 'account')}
            <span class="chev" aria-hidden="true" />
          </span>
        </summary>
        <UnmanagedNames unmanaged={unmanaged} />
      </details>
    </article>
  );
};

const UnmanagedNames: FC<{ readonly unmanaged: readonly Change[] }> = ({ unmanaged }) => (
  <div class="body">
    <div class="stack">
      <p class="tools">
        To manage them: <Command line={formatCommand('import', '--update')} />
      </p>
      <ul class="names">
        {unmanaged.slice(0, UNMANAGED_SHOWN).map(({ address, live_id: id }) => (
          <li>
            <Text text={address.name} />{' '}
            <span class="mute">
              {address.kind} on <Text text={address.account} />
              {id === null ? null : (
                <>
                  ,{' '}
                  <code>
                    <Text text={id} />
                  </code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {unmanaged.length > UNMANAGED_SHOWN ? (
        <p class="mute">
          and {unmanaged.length - UNMANAGED_SHOWN} more. The plan in this file has all of them.
        </p>
      ) : null}
    </div>
  </div>
);
