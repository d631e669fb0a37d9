export const signInErrors = {
  code: {
    BAD_REQUEST: 'Some of this information isn’t valid. Check your entries and try again.',
    UNAUTHORIZED: 'Your session has ended. Sign in again.',
    SIGN_IN_FAILED: 'Incorrect email or password. Try again.',
    FORBIDDEN: 'You don’t have permission to do this. Ask an administrator.',
    NOT_FOUND: 'This record no longer exists. Refresh the list.',
    TOO_MANY_REQUESTS: 'Too many attempts. Try again later.',
    INTERNAL: 'An error occurred, please try again!',
    UNAVAILABLE: 'The service isn’t available right now. Try again later.',
    MAIL_FAILED: 'The code couldn’t be emailed. Try again in a minute or contact your system administrator.',
    MAIL_OFF: 'This server can’t send email. Contact your system administrator.',
    OFFLINE: 'No connection, so nothing was changed. Check your network and try again.',
  },
  generic: 'An error occurred, please try again!',
  requestId: 'Request {{id}}',
};
