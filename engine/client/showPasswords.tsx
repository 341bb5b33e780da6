import { Typography } from 'antd'
import type { useAppProps } from 'antd/es/app/context'
import type { words as engineWords } from './words.ts'

/** Shows generated passwords, which cannot be shown again. Resolves once the user confirms having noted them. */
export async function showPasswords(
  { modal }: Pick<useAppProps, 'modal'>,
  words: ReturnType<typeof engineWords.use>,
  given: readonly { name: string; password: string }[],
): Promise<void> {
  await modal.info({
    title: words('passwordsGiven'),
    okText: words('ok'),
    width: 480,
    content: (
      <>
        <p>{words('passwordsOnce')}</p>
        <table className="result-table">
          <thead>
            <tr>
              <th scope="col">{words('passwordOf')}</th>
              <th scope="col">{words('password')}</th>
            </tr>
          </thead>
          <tbody>
            {given.map(({ name, password }, index) => (
              <tr key={index}>
                <td>{name}</td>
                <td>
                  <Typography.Text code copyable>
                    {password}
                  </Typography.Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    ),
  })
}
