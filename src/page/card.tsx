import type { FC } from 'hono/jsx';
import { formatTimesIn } from '../render/values.ts';
import { count } from '../render/wording.ts';
import { ContentFacts, CardFooter } from './card-facts.tsx';
import { Difference, wordsOf } from './differences.tsx';
import { Exceptions } from './exceptions.tsx';
import { contentOf, type Card, type Model } from './model.ts';
import { Preview } from './preview.tsx';
import { listed, Mark, Text } from './text.tsx';
import { ACTIONS, actionTitle, actionWord, fieldPhrase, sentence } from './words.ts';

const REASONS_SHOWN = 4;

/** Changes that do the same, as one entry that opens. */
export const ChangeCard: FC<{ readonly card: Card; readonly model: Model; readonly isOpen: boolean }> = ({
  card,
  model,
  isOpen,
}) => {
  const { accounts, action, kind } = card;
  const indexes = accounts.map((alias) => model.accounts.indexOf(alias)).join(' ');
  return (
    <article
      class="card"
      id={card.id}
      data-kind={kind}
      data-action={action}
      data-accounts={indexes}
      data-changes={card.changes.length}
    >
      <details open={isOpen}>
        <summary>
          <Mark class={action} glyph={ACTIONS[action].glyph} />
          <div>
            <h3 class="ttl">
              <span class="vh">{sentence(actionWord(model.title, action))}: </span>
              <Title card={card} /> <Tags card={card} model={model} />
            </h3>
            <p class="why">
              <b>{actionTitle(model.title, card.shared)}.</b> <Cause card={card} />
            </p>
          </div>
          <span class="reach">
            {count(accounts.length, 'account')}
            <span class="chev" aria-hidden="true" />
          </span>
        </summary>
        <Body card={card} model={model} />
      </details>
    </article>
  );
};

const NAMES_SHOWN = 3;

const Title: FC<{ readonly card: Card }> = ({ card: { names, kind } }) => {
  if (names.length <= NAMES_SHOWN) return <Text text={listed(names)} />;
  return (
    <>
      {names.length} {kind}s: <Text text={names.slice(0, NAMES_SHOWN).join(', ')} /> and{' '}
      {names.length - NAMES_SHOWN} more
    </>
  );
};

const Tags: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const { shared, isIrreversible, live, warnings } = card;
  if (model.title === 'preview') return warnings.length > 0 ? <span class="tag warn">Warning</span> : null;
  return (
    <>
      {isIrreversible ? <span class="tag bad">Cannot be undone</span> : null}
      {shared.action === 'blocked' && shared.needs.length > 0 ? (
        <span class="tag warn">Needs {shared.needs.map((name) => `--allow ${name}`).join(' ')}</span>
      ) : null}
      {live === null ? null : <span class="tag">{sentence(live)}</span>}
      {warnings.length > 0 ? <span class="tag warn">Warning</span> : null}
    </>
  );
};

/** Fields that are named in one sentence. */
const FIELDS_NAMED = 3;

/** Why, in one sentence: the first reason, or what differs. */
const Cause: FC<{ readonly card: Card }> = ({ card }) => {
  const { shared, group, zone } = card;
  const paths = [...shared.fields, ...group.varying].map(({ path }) => path);
  if (shared.action !== 'replace' || paths.length === 0)
    return <Text text={formatTimesIn(shared.reasons[0] ?? '', zone)} />;
  const named = paths.slice(0, FIELDS_NAMED).map(fieldPhrase);
  const more = paths.length - named.length;
  const others = card.variants.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <>
      Differs in <Text text={listed(more === 0 ? named : [...named, count(more, 'other field')])} />.
      {others === 0 ? '' : ` ${count(others, 'account differs', 'accounts differ')} from the rest.`}
    </>
  );
};

const Body: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const content = contentOf(card, model);
  const hasPreview = content !== null && content.messages.length > 0;
  return (
    <div class="body">
      <div class={hasPreview ? 'cols two' : 'cols'}>
        <div class="stack">
          <Reasons card={card} model={model} />
          {card.shared.action === 'create' ? null : <Fields card={card} />}
          <Exceptions card={card} />
          {content === null || card.shared.action === 'replace' ? null : (
            <ContentFacts content={content} zone={card.zone} />
          )}
          <CardFooter card={card} model={model} content={content} />
        </div>
        {hasPreview ? <Preview card={card} model={model} /> : null}
      </div>
    </div>
  );
};

/** What a person has to know before a yes: why it cannot be undone, why it is blocked, what is warned of. */
const Reasons: FC<{ readonly card: Card; readonly model: Model }> = ({ card, model }) => {
  const { shared, warnings, isIrreversible, action, zone } = card;
  const prose = (text: string) => <Text text={formatTimesIn(text, zone)} />;
  const isBoxed = isIrreversible || action === 'blocked' || action === 'missed';
  const isTold = isBoxed || shared.fields.length === 0;
  const more = [
    ...(isTold ? shared.reasons.slice(1) : []),
    ...(isIrreversible && shared.undo !== '' ? [shared.undo] : []),
  ];
  return (
    <>
      {model.title === 'drift' || more.length === 0 ? null : (
        <div class={isBoxed ? (isIrreversible ? 'why-box bad' : 'why-box') : 'notes'}>
          <div>
            {more.map((reason) => (
              <p>{prose(reason)}</p>
            ))}
          </div>
        </div>
      )}
      {warnings.length === 0 ? null : (
        <div class="why-box">
          <div>
            {warnings.slice(0, REASONS_SHOWN).map(({ message, accounts }) => (
              <p>
                {prose(message)}
                {accounts.length > 1 ? <span class="mute"> On {accounts.length} accounts.</span> : null}
              </p>
            ))}
            {warnings.length > REASONS_SHOWN ? (
              <details>
                <summary>and {warnings.length - REASONS_SHOWN} more</summary>
                {warnings.slice(REASONS_SHOWN).map(({ message }) => (
                  <p>{prose(message)}</p>
                ))}
              </details>
            ) : null}
          </div>
        </div>
      )}
    </>
  );
};

const Fields: FC<{ readonly card: Card }> = ({ card: { shared, zone } }) => {
  const explained = shared.fields.length > 0 && shared.action === 'replace' ? shared.reasons.slice(1) : [];
  return (
    <>
      {shared.fields.map((field) => (
        <Difference field={field} zone={zone} />
      ))}
      {shared.dropped.length === 0 ? null : (
        <dl class="fields">
          <dt>Lost with a replace</dt>
          <dd>
            {shared.dropped.map(({ path, live }) => (
              <p>
                <code>
                  <Text text={path} />
                </code>{' '}
                <del>
                  <Text text={wordsOf(path, live, zone) ?? ''} />
                </del>
              </p>
            ))}
          </dd>
        </dl>
      )}
      {explained.length === 0 ? null : (
        <div class="notes">
          {explained.map((reason) => (
            <p>
              <Text text={formatTimesIn(reason, zone)} />
            </p>
          ))}
        </div>
      )}
    </>
  );
};
