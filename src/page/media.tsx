import type { FC } from 'hono/jsx';
import type { PlannedAttachment } from '../domain/change.ts';
import { visible } from '../domain/visible.ts';
import { formatBytes } from '../render/values.ts';
import { Filled } from './filled.tsx';
import type { Model } from './model.ts';
import type { Picture } from './pictures.ts';
import { Text } from './text.tsx';

/** One picture or video of a message. A paid one is shown too, with its lock: a person has to approve it. */
export const Media: FC<{
  readonly attachment: PlannedAttachment;
  readonly account: string;
  readonly model: Model;
}> = ({ attachment: { type, is_paid: isPaid = false, id, file, size }, account, model }) => {
  const picture = file === undefined ? IN_VAULT : (model.pictures.get(file) ?? NOT_READ);
  const name = type === 'image' ? 'Photo' : type.charAt(0).toUpperCase() + type.slice(1);
  if (picture.kind === 'shown')
    return (
      <div class="pic">
        <svg role="img" aria-label={visible(`${name}, ${file ?? ''}`)}>
          <use href={`#${pictureId(model, file)}`} width="100%" height="100%" />
        </svg>
        {isPaid ? (
          <span>
            <Padlock size={18} /> locked
          </span>
        ) : null}
      </div>
    );
  return (
    <div class={isPaid ? 'lock' : 'free'}>
      {isPaid ? <Padlock size={18} /> : null}
      <span>
        <Text text={name} />{' '}
        {file === undefined ? (
          <Filled text={id ?? ''} account={account} model={model} />
        ) : (
          <Text text={file} />
        )}
      </span>
      <span>
        {isPaid ? 'locked' : 'free'}
        {size === undefined ? null : `, ${formatBytes(size)}`}
      </span>
      <span>{picture.why}</span>
    </div>
  );
};

const IN_VAULT: Picture = {
  kind: 'missing',
  why: 'It is in the vault, and the workspace has no file of it.',
};
const NOT_READ: Picture = { kind: 'missing', why: 'Its file was not read for this page.' };

/** Each picture once, however many messages have it. */
export const StoredPictures: FC<{ readonly model: Model }> = ({ model }) => (
  <svg class="vh" width="1" height="1" aria-hidden="true">
    {[...model.pictures].map(([file, picture]) =>
      picture.kind === 'missing' ? null : (
        <symbol id={pictureId(model, file)}>
          <image href={picture.url} width="100%" height="100%" preserveAspectRatio="xMidYMid slice" />
        </symbol>
      ),
    )}
  </svg>
);

function pictureId({ pictures }: Model, file = ''): string {
  return `picture-${[...pictures.keys()].indexOf(file) + 1}`;
}

export const Padlock: FC<{ readonly size: number }> = ({ size }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    aria-hidden="true"
  >
    <rect x="3.5" y="8" width="11" height="7" rx="1.5" />
    <path d="M6 8V5.5a3 3 0 0 1 6 0V8" />
  </svg>
);
