/** What the pages outside the layout say too, and what a failure says anywhere. */
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
    missing: 'The file could not be fetched (missing). Check the connection and try again.',
    gone: 'The panel has been updated and this file is gone (missing). Reload to get the new version.',
    timeout: 'The file did not arrive within 120 seconds (timeout). Check the connection and try again.',
    broken: 'The file is damaged ({{type}}). Try again, or reload the page.',
    reload: 'Reload the page',
  },
};
