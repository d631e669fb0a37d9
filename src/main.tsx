import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadSignInDictionary } from './lib/i18n/boot.ts';
import { createChunk } from './lib/chunks/loader.ts';
import { watchPrefs } from './lib/prefs/prefs.ts';
import { guardAgainstTranslation } from './lib/translation-guard.ts';
import { watchZone } from './lib/zone.ts';
import { watchSession } from './lib/session/watch-session.ts';
import { App } from './views/layout/app.tsx';
import './styles.css';

const root = document.querySelector(':root:not([data-old]) #root');
if (!root) throw new Error('index.html has no #root, or says that the browser is too old');

guardAgainstTranslation();
watchPrefs();
watchSession();
watchZone();
// Without texts the panel cannot show an error, so index.html does (boot.ts).
createChunk(loadSignInDictionary)
  .load()
  .then(() => {
    document.querySelector('#start:not([data-failed])')?.remove();
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  }, reportError);
