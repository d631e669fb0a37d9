/** Also used outside the layout. */
export const shell = {
  title: 'Admin Panel',
  otherLanguage: '中文',
  switchLanguage: 'Switch to 中文',
  notFound: {
    title: 'Page not found',
    text: 'This page doesn’t exist, or you don’t have permission to see it.',
    asked: 'Requested page',
    home: 'Go to Home',
  },
  failed: {
    title: 'An error occurred, please try again!',
    chunk: 'Loading chunk failed',
    styles: 'Loading CSS chunk failed',
    missing: 'Couldn’t download a file (missing). Check your connection and try again.',
    gone: 'The panel has been updated (missing). Reload to get the new version.',
    timeout: 'A file didn’t arrive within 120 seconds (timeout). Check your connection and try again.',
    broken: 'A file is damaged ({{type}}). Try again, or reload the page.',
    reload: 'Reload page',
  },
};
