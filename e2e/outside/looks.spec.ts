import { pictures } from '@admin-panel/qa/pictures';

const { PICTURES, PICTURES_AT } = process.env;

pictures({
  restore: 'pictures',
  ...(PICTURES ? { only: PICTURES.split(',') } : {}),
  ...(PICTURES_AT ? { at: PICTURES_AT } : {}),
});
