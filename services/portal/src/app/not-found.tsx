import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../language/language.js';
import { Message } from '../states/message.js';
import { STATES } from '../states/texts.js';

/** An address that no page has. */
export function NotFound() {
  const texts = useTexts(STATES);
  const navigate = useNavigate();
  return (
    <Message
      level="h1"
      icon={<IconMapQuestion size={20} />}
      title={texts.unknown.title}
      actions={
        <Button variant="default" onClick={() => void navigate({ to: '/orders' })}>
          {texts.back}
        </Button>
      }
    >
      {texts.unknown.text}
    </Message>
  );
}
