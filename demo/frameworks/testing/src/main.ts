import 'workspace-chat';
import { connectChat } from './page.ts';

connectChat();
