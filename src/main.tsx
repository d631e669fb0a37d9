import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadSignInDictionary } from './lib/i18n/boot.ts';
import { watchPrefs } from './lib/prefs.ts';
import { watchSession } from './lib/watch-session.ts';
import { App } from './views/layout/app.tsx';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

watchPrefs();
watchSession();
void loadSignInDictionary().then(
  () =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  () => {
    // No words without a dictionary: the only text that stands in both languages at once.
    root.setAttribute('role', 'alert');
    root.textContent = 'Loading chunk failed. 页面加载失败，请刷新重试。 Please reload the page.';
  },
);
