import type { FC, PropsWithChildren } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { writes, type PlannedContent } from '../domain/change.ts';
import { TO_FANS } from '../render/entries.ts';
import { formatAllow } from '../render/summary.ts';
import { describeAudience } from '../render/values.ts';
import { visible } from '../domain/visible.ts';
import type { Card, Model } from './model.ts';
import { Command, AccountNames, Mark, Text, listed, Prose, Time } from './text.tsx';
import { Preview } from './preview.tsx';
import type { FieldView, DiffLine, Piece } from '../render/difference.ts';

/** Above this many cards, only what needs a person is open. */
const OPEN_MAX = 12;

/** Above this many, the browser draws a card when it comes into view. */
const MANY = 40;

/** The cards with their filters. */
export const Changes: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, title } = model;
  // A price or an hour alone is as much to approve as a text.
  const opened = cards.length <= OPEN_MAX ? TO_FANS : [];
  return (
    <section id="changes" aria-labelledby="h-changes">
      <h2 id="h-changes">
        {title === 'preview' ? 'Resources' : title === 'drift' ? 'Differences' : 'Changes'}
      </h2>
      {cards.length > 0 ? null : <p class="mute">No changes. {model.countMatching()}</p>}
      {cards.length === 0 ? null : <Filters model={model} />}
      <p id="none" hidden>
        No change matches these filters.
      </p>
      <div class={cards.length > MANY ? 'cards many' : 'cards'}>
        {cards.map((card) => (
          <ChangeCard
            card={card}
            model={model}
            isOpen={needsPerson(card) || opened.includes(card.shared.action)}
          />
        ))}
      </div>
    </section>
  );
};

function needsPerson({ shared, entry }: Card): boolean {
  return entry.isIrreversible || shared.action === 'blocked';
}

const Filters: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, accounts } = model;
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
            <option value={action}>{sentence(model.nameChange(action))}</option>
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

const NAMES_SHOWN = 4;

const FIELDS_NAMED = 4;

const ChangeCard: FC<{ readonly card: Card; readonly model: Model; readonly isOpen: boolean }> = ({
  card,
  model,
  isOpen,
}) => {
  const { accounts, names, changes, shared } = card;
  const { kind } = shared.address;
  const label = sentence(model.nameChange(shared.action));
  const title = `${names.length > NAMES_SHOWN ? `${names.length} ${kind}s: ` : ''}${listed(names, NAMES_SHOWN)}`;
  return (
    <article
      class="card"
      id={card.id}
      data-kind={kind}
      data-action={shared.action}
      data-accounts={accounts.map((alias) => model.accounts.indexOf(alias)).join(' ')}
      data-changes={changes.length}
    >
      <details open={isOpen}>
        <summary>
          <Mark action={shared.action} />
          <div>
            <h3 class="ttl">
              <Text text={title} /> <Tags card={card} model={model} />
            </h3>
            <p class="why">
              <b>
                {label} {kind}.
              </b>{' '}
              <Cause card={card} />
            </p>
          </div>
          <span class="reach">
            <AccountNames names={accounts} />
            <span class="chev" aria-hidden="true" />
          </span>
        </summary>
        <Body card={card} model={model} />
      </details>
    </article>
  );
};

const Tags: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => (
  <>
    {(model.title === 'preview' ? [] : card.entry.badges).map(({ text, tone }) => (
      <span class={tone !== 'loud' ? 'tag' : card.entry.isIrreversible ? 'tag bad' : 'tag warn'}>
        {sentence(text)}
      </span>
    ))}
    {card.findings.length > 0 ? <span class="tag warn">Warning</span> : null}
  </>
);

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const FIELDS: Readonly<Record<string, string>> = {
  price_gross: 'price',
  delay_sec: 'delay',
  attachments: 'media',
  text_is_paid: 'paid text',
  scheduled_at: 'time',
  audience_filters: 'audience',
  'messages.length': 'number of messages',
};

/** `text of message 1` for `messages[0].text`. */
function describePath(path: string): string {
  const [, index, field = path] = /^messages\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const plain = field.replace(/^rules\./, '').replaceAll('_', ' ');
  const word = Object.hasOwn(FIELDS, field) ? (FIELDS[field] ?? plain) : plain;
  return index === undefined ? word : `${word} of message ${Number(index) + 1}`;
}

/** Why, in one sentence: what differs, or the first reason. */
const Cause: FC<{ readonly card: Card }> = ({ card: { shared, zone } }) => {
  const paths = shared.fields.map(({ path }) => describePath(path));
  if (shared.action !== 'replace' || paths.length === 0)
    return <Prose text={shared.reasons[0] ?? ''} zone={zone} />;
  return (
    <>
      Differs in <Text text={listed(paths, FIELDS_NAMED)} />.
    </>
  );
};

const Body: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const { shared, entry, content } = card;
  const hasPreview = content !== null && content.messages.length > 0;
  // The preview shows the most of what is created.
  const isShown = shared.action !== 'create' || !hasPreview;
  return (
    <div class={hasPreview ? 'body two' : 'body'}>
      <div class="stack">
        <Reasons card={card} model={model} />
        {isShown ? entry.fields.map((view) => <Difference view={view} />) : null}
        {entry.byAccount.length > 0 ? (
          <ul class="by-account">
            {entry.byAccount.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        ) : null}
        <Facts card={card} model={model} />
      </div>
      {hasPreview ? <Preview card={card} model={model} /> : null}
    </div>
  );
};

/** What a person has to know before a yes: why it cannot be undone, why it is blocked, what is warned of. */
const Reasons: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const { shared, entry, findings, zone } = card;
  const isBad = entry.isIrreversible;
  const isBoxed = isBad || shared.action === 'blocked' || shared.action === 'missed';
  // The first one is in the line above, but for a replace, where the fields are.
  const rest = entry.reasons.slice(shared.action === 'replace' && shared.fields.length > 0 ? 0 : 1);
  const lines = [...rest.map(({ text }) => text), ...(isBad ? [shared.undo] : [])].filter(
    (text) => text !== '',
  );
  return (
    <>
      {model.title === 'preview' || lines.length === 0 ? null : (
        <div class={isBoxed ? (isBad ? 'why-box bad' : 'why-box') : 'mute'}>
          {lines.map((text) => (
            <p>
              <Prose text={text} zone={zone} />
            </p>
          ))}
        </div>
      )}
      {findings.length === 0 ? null : (
        <div class="why-box">
          {findings.map(({ message, accounts }) => (
            <p>
              <Prose text={message} zone={zone} />
              {accounts.length > 1 ? <span class="mute"> On {accounts.length} accounts.</span> : null}
            </p>
          ))}
        </div>
      )}
    </>
  );
};

const Difference: FC<{ readonly view: FieldView }> = ({ view }) => (
  <div class="diff">
    <h4>
      {sentence(describePath(view.path))} <span class="mute">live → file</span>
    </h4>
    {view.kind === 'values' ? (
      <p class="txt" dir="auto">
        {view.old === null ? null : <del>{view.old}</del>} <ins>{view.new}</ins>
      </p>
    ) : (
      <p class="txt" dir="auto">
        {view.lines.map((line) => (
          <>
            {drawLine(line)}
            {'\n'}
          </>
        ))}
      </p>
    )}
  </div>
);

function drawLine(line: DiffLine) {
  if (line.kind === 'gap') return <span class="mute">{`${line.lines} equal lines`}</span>;
  return line.kind === 'changed' ? line.pieces.map(drawPiece) : drawPiece(line);
}

function drawPiece({ kind, text }: Piece) {
  if (kind === 'same' || text === '') return <>{text}</>;
  return kind === 'removed' ? <del>{text}</del> : <ins>{text}</ins>;
}

/** What is declared next to the messages, how to undo or allow it, where it is declared, and its accounts. */
const Facts: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const { shared, content, changes, entry } = card;
  const isPlan = model.title === 'plan';
  return (
    <dl class="fields">
      {content === null || shared.action === 'replace' ? null : (
        <ContentFacts content={content} zone={card.zone} />
      )}
      {content === null || content.messages.length === 0 || shared.action !== 'create'
        ? null
        : entry.fields.filter(({ path }) => !PREVIEWED.test(path)).map((view) => <Field view={view} />)}
      {isPlan && !writes(shared) && shared.needs.length > 0 ? (
        <Row label="To allow it">
          <Command line={formatAllow(changes)} />
        </Row>
      ) : null}
      {isPlan && !entry.isIrreversible
        ? entry.after.map(({ label, text }) => (
            <Row label={sentence(label.replace(': ', ''))}>
              <Text text={text} />
            </Row>
          ))
        : null}
      {content === null ? null : (
        <Row label="Declared in">
          <code>
            <Text text={`${content.file}:${content.line}`} />
          </code>
        </Row>
      )}
      {changes.length > 1 || shared.live_id === null ? null : (
        <Row label="Live id">
          <code>
            <Text text={shared.live_id} />
          </code>
        </Row>
      )}
      {card.names.length > NAMES_SHOWN ? (
        <Row label="Names">
          <Text text={card.names.join(', ')} />
        </Row>
      ) : null}
      <Row label="Accounts">{entry.accounts}</Row>
    </dl>
  );
};

/** What of a create its preview and its other facts show. The settings of media are nowhere else. */
const PREVIEWED =
  /^(?:action|audience|trigger|scheduled_at|rules\.(?:end_at|send_delay_interval)|messages\[\d+\]\.(?:text|text_is_paid|price_gross|delay_sec))$/;

const Field: FC<{ readonly view: FieldView }> = ({ view }) => (
  <Row label={sentence(describePath(view.path))}>
    {view.kind === 'values' ? view.new : view.lines.map(drawLine)}
  </Row>
);

const Row: FC<PropsWithChildren<{ readonly label: string }>> = ({ label, children }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const ContentFacts: FC<{ readonly content: PlannedContent; readonly zone: string }> = ({ content, zone }) => {
  const { trigger, scheduled_at: at, audience_filters: filters, rules = {} } = content;
  const end = rules['end_at'];
  return (
    <>
      {at === undefined ? null : (
        <Row label="Goes out">
          <Time at={at} zone={zone} />
        </Row>
      )}
      {trigger === undefined ? null : (
        <Row label="Trigger">
          <Text text={trigger} />
          {content.action === 'start_mimic' ? ', starts an automated chat' : ''}
        </Row>
      )}
      <Row label="Audience">
        <Text text={sentence(describeAudience(filters, zone))} />
      </Row>
      {typeof end === 'string' ? (
        <Row label="Ends">
          <Time at={end} zone={zone} />
        </Row>
      ) : null}
    </>
  );
};
