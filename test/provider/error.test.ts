import { toHeraldError } from '../../src/domain/herald-error.ts';
import { expect, it } from 'vitest';
import { ProviderError } from '../../src/provider/error.ts';

it('an error of a provider says what failed, with the method, the address, the answer and what to do next', () => {
  const call = {
    what: 'create a comment on pull request 7',
    method: 'POST',
    address: 'https://api.example/repos/a/b/issues/7/comments',
    status: 403,
  };
  expect(toHeraldError(new ProviderError('provider-denied', 'Resource not accessible.', call))).toMatchObject(
    {
      exit: 1,
      code: 'provider-denied',
      message:
        'Could not create a comment on pull request 7: POST https://api.example/repos/a/b/issues/7/comments answered 403: Resource not accessible.',
      hint: 'Give the job the permission that this writes for it: herald ci init',
      details: call,
    },
  );
});
